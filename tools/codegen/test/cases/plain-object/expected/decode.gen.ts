import { type Check, type Run, type Test, fail, isInteger, isNumber, list, struct } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const testIntegerFrom0UpTo4294967295: Test = { expected: "an integer from 0 up to 4294967295", holds: (v) => isInteger(v, 0, 4294967295) };
const testNumberFrom0UpTo1: Test = { expected: "a number from 0 up to 1", holds: (v) => isNumber(v, 0, 1) };
const testBoolean: Test = { expected: "a boolean", holds: (v) => typeof v === "boolean" };
const testPresent: Test = { expected: "present", holds: (v) => v !== undefined };
const checkImplementation: Check = /* @__PURE__ */ struct(
  { name: testString, raw: testPresent },
  {},
  {
    title: [/* optional, nullable */ 3, testString],
    retries: [/* optional */ 1, testIntegerFrom0UpTo4294967295],
    ratio: [/* optional */ 1, testNumberFrom0UpTo1],
    tags: [/* optional */ 1, [list, checkAString]],
    ready: [/* optional */ 1, testBoolean],
  },
);
export const checks: Record<string, Check> = {
  "Implementation": checkImplementation,
};
