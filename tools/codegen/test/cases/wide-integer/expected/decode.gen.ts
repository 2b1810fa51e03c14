import { type Check, type Run, type Test, fail, isInteger, struct } from "../../runtime/checks.js";

const testIntegerFrom0: Test = { expected: "an integer from 0", holds: (v) => isInteger(v, 0) };
const testInteger: Test = { expected: "an integer", holds: (v) => isInteger(v) };
const testIntegerFrom0UpTo4294967295: Test = { expected: "an integer from 0 up to 4294967295", holds: (v) => isInteger(v, 0, 4294967295) };
const checkUsage: Check = /* @__PURE__ */ struct(
  { total: testIntegerFrom0 },
  {},
  { size: [/* optional, nullable */ 3, testInteger], small: [/* optional */ 1, testIntegerFrom0UpTo4294967295] },
);
function checkNullAnIntegerOrAString(v: unknown, run: Run): boolean {
  return v === null || isInteger(v) || typeof v === "string" || fail(run, v, "null, an integer or a string");
}
export const checks: Record<string, Check> = {
  "Usage": checkUsage,
  "RequestId": checkNullAnIntegerOrAString,
};
