import { type Check, type Test, struct, tagged } from "../../runtime/checks.js";

const testBoolean: Test = { expected: "a boolean", holds: (v) => typeof v === "boolean" };
const checkSetOptionBoolean: Check = /* @__PURE__ */ struct({ value: testBoolean });
const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkSetOptionId: Check = /* @__PURE__ */ struct({ value: testString });
const checkSetOption: Check = /* @__PURE__ */ tagged("type", { boolean: checkSetOptionBoolean, id: checkSetOptionId });
export const checks: Record<string, Check> = {
  "SetOption": checkSetOption,
};
