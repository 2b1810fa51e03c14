import { type Check, type Test, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkIdleState: Check = /* @__PURE__ */ struct({}, {}, { note: [/* optional */ 1, testString] });
const checkState: Check = /* @__PURE__ */ tagged("state", { idle: checkIdleState });
const checkCustomState: Check = /* @__PURE__ */ struct({});
export const checks: Record<string, Check> = {
  "IdleState": checkIdleState,
  "State": checkState,
  "CustomState": checkCustomState,
};
