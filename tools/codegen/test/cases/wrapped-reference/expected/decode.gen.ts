import { type Check, type Test, isInteger, struct } from "../../runtime/checks.js";

const testIntegerFrom0UpTo4294967295: Test = { expected: "an integer from 0 up to 4294967295", holds: (v) => isInteger(v, 0, 4294967295) };
const checkLimits: Check = /* @__PURE__ */ struct({}, {}, { lines: [/* optional */ 1, testIntegerFrom0UpTo4294967295] });
const checkOptions: Check = /* @__PURE__ */ struct({}, {}, { limits: [/* mended, filled */ 20, checkLimits, () => ({"lines":100})] });
export const checks: Record<string, Check> = {
  "Limits": checkLimits,
  "Options": checkOptions,
  "Alias": checkOptions,
};
