import { type Check, type Run, anything, fail, failAt, firstOf, isInteger, isNumber, isObject, list } from "../../runtime/checks.js";

function checkTextContents(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.text !== "string") return failAt(run, v, "text", "a string");
  return true;
}

function checkBlobContents(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.blob !== "string") return failAt(run, v, "blob", "a string");
  return true;
}

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

function checkResultResult(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (v.result === undefined) return failAt(run, v, "result", "present");
  return true;
}

function checkResultError(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.error !== "string") return failAt(run, v, "error", "a string");
  return true;
}

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
