import { type Check, type Run, type Test, fail, firstOf, isObject, onlyOneOf, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkSessionScope: Check = /* @__PURE__ */ struct({ sessionId: testString });
const checkRequestScope: Check = /* @__PURE__ */ struct({ requestId: testString });
function checkFormModeRest(v: unknown, run: Run): boolean {
  return onlyOneOf(v, run, [checkSessionScope, checkRequestScope]);
}
const checkFormMode: Check = /* @__PURE__ */ struct({ title: testString }, {}, {}, checkFormModeRest);
function checkElicitationOtherRest(v: unknown, run: Run): boolean {
  return firstOf(v, run, [checkSessionScope, checkRequestScope]);
}
const checkElicitationOther: Check = /* @__PURE__ */ struct({}, {}, {}, checkElicitationOtherRest);
const checkElicitationRest: Check = /* @__PURE__ */ tagged("mode", { form: checkFormMode }, checkElicitationOther);
const checkElicitation: Check = /* @__PURE__ */ struct({ message: testString }, {}, {}, checkElicitationRest);
export const checks: Record<string, Check> = {
  "SessionScope": checkSessionScope,
  "RequestScope": checkRequestScope,
  "FormMode": checkFormMode,
  "Elicitation": checkElicitation,
};
