import { type Check, type Run, fail, failAt, fill, inside, isInteger, isLongString, isObject, list } from "../../runtime/checks.js";

function checkErrorData(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.code;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "code", "a string");
  return true;
}

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkDocumented(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.plain;
  if (t === undefined) fill(run, v, "plain", "x");
  else if (typeof t !== "string") return failAt(run, v, "plain", "a string");
  t = v.linked;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "linked", "a string");
  t = v.rust;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "rust", "a string");
  t = v.unstable;
  if (t === undefined) fill(run, v, "unstable", false);
  else if (typeof t !== "boolean") return failAt(run, v, "unstable", "a boolean");
  t = v.bounds;
  if (t !== undefined && !list(t, run, checkAString, 1)) return inside(run, "bounds");
  t = v.word;
  if (t !== undefined && !isLongString(t, 1)) return failAt(run, v, "word", "a non-empty string");
  t = v.line;
  if (t !== undefined && !isInteger(t, 1, 4294967295)) return failAt(run, v, "line", "an integer from 1 up to 4294967295");
  t = v.windows;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "windows", "a string");
  return true;
}

export const checks: Record<string, Check> = {
  "ErrorData": checkErrorData,
  "Documented": checkDocumented,
};
