import { type Check, type Run, type Test, fail, isInteger, isLongString, list, struct } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkErrorData: Check = /* @__PURE__ */ struct({}, {}, { code: [/* optional */ 1, testString] });
function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
const testBoolean: Test = { expected: "a boolean", holds: (v) => typeof v === "boolean" };
function checkDocumentedBounds(v: unknown, run: Run): boolean {
  return list(v, run, checkAString, 1);
}
const testNonEmptyString: Test = { expected: "a non-empty string", holds: (v) => isLongString(v, 1) };
const testIntegerFrom1UpTo4294967295: Test = { expected: "an integer from 1 up to 4294967295", holds: (v) => isInteger(v, 1, 4294967295) };
const checkDocumented: Check = /* @__PURE__ */ struct(
  {},
  {},
  {
    plain: [/* filled */ 16, testString, "x"],
    linked: [/* optional */ 1, testString],
    rust: [/* optional */ 1, testString],
    unstable: [/* filled */ 16, testBoolean, false],
    bounds: [/* optional */ 1, checkDocumentedBounds],
    word: [/* optional */ 1, testNonEmptyString],
    line: [/* optional */ 1, testIntegerFrom1UpTo4294967295],
    windows: [/* optional */ 1, testString],
  },
);
export const checks: Record<string, Check> = {
  "ErrorData": checkErrorData,
  "Documented": checkDocumented,
};
