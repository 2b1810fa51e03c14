import { type Check, type Run, fail, failAt, isInteger, isObject } from "../../runtime/checks.js";

function checkUsage(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  if (!isInteger(v.total, 0)) return failAt(run, v, "total", "an integer from 0");
  t = v.size;
  if (t != null && !isInteger(t)) return failAt(run, v, "size", "an integer or null");
  t = v.small;
  if (t !== undefined && !isInteger(t, 0, 4294967295)) return failAt(run, v, "small", "an integer from 0 up to 4294967295");
  return true;
}

function checkNullAnIntegerOrAString(v: unknown, run: Run): boolean {
  return v === null || isInteger(v) || typeof v === "string" || fail(run, v, "null, an integer or a string");
}

export const checks: Record<string, Check> = {
  "Usage": checkUsage,
  "RequestId": checkNullAnIntegerOrAString,
};
