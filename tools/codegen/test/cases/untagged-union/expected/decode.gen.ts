import { type Check, type Run, type Test, anything, fail, firstOf, isInteger, isNumber, list, struct } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkTextContents: Check = /* @__PURE__ */ struct({ text: testString });
const checkBlobContents: Check = /* @__PURE__ */ struct({ blob: testString });
function checkContents(v: unknown, run: Run): boolean {
  return firstOf(v, run, [checkTextContents, checkBlobContents]);
}
function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
function checkOptionsUngrouped(v: unknown, run: Run): boolean {
  return list(v, run, checkAString);
}
function checkOptionsGrouped(v: unknown, run: Run): boolean {
  return list(v, run, checkTextContents);
}
function checkOptions(v: unknown, run: Run): boolean {
  return firstOf(v, run, [checkOptionsUngrouped, checkOptionsGrouped]);
}
function checkValue(v: unknown, run: Run): boolean {
  if (typeof v === "string" || isInteger(v) || isNumber(v) || typeof v === "boolean") return true;
  return Array.isArray(v) ? list(v, run, checkAString) : fail(run, v, "a string, an integer, a number, a boolean or an array");
}
const testPresent: Test = { expected: "present", holds: (v) => v !== undefined };
const checkResultResult: Check = /* @__PURE__ */ struct({ result: testPresent });
const checkResultError: Check = /* @__PURE__ */ struct({ error: testString });
function checkResult(v: unknown, run: Run): boolean {
  return firstOf(v, run, [checkResultResult, checkResultError]);
}
export const checks: Record<string, Check> = {
  "TextContents": checkTextContents,
  "BlobContents": checkBlobContents,
  "Contents": checkContents,
  "Options": checkOptions,
  "Value": checkValue,
  "Anything": anything,
  "Only": checkTextContents,
  "Result": checkResult,
};
