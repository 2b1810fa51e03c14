import { type Check, type Run, type Test, fail, isObject, onlyOneOf, struct } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkSessionScope: Check = /* @__PURE__ */ struct({ sessionId: testString });
const checkRequestScope: Check = /* @__PURE__ */ struct({ requestId: testString });
function checkFormModeRest(v: unknown, run: Run): boolean {
  return onlyOneOf(v, run, [checkSessionScope, checkRequestScope]);
}
const checkFormMode: Check = /* @__PURE__ */ struct({ title: testString }, {}, {}, checkFormModeRest);
export const checks: Record<string, Check> = {
  "SessionScope": checkSessionScope,
  "RequestScope": checkRequestScope,
  "FormMode": checkFormMode,
};
