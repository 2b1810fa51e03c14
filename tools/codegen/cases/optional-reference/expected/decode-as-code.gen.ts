import { type Check, type Run, fail, failAt, inside, isInteger, isObject } from "../../runtime/checks.js";

function checkLimits(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.lines;
  if (t !== undefined && !isInteger(t, 0, 4294967295)) return failAt(run, v, "lines", "an integer from 0 up to 4294967295");
  return true;
}

function checkOptions(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.maybe;
  if (t != null && !checkLimits(t, run)) return inside(run, "maybe");
  t = v.must;
  if (t !== null && !checkLimits(t, run)) return inside(run, "must");
  return true;
}

export const checks: Record<string, Check> = {
  "Limits": checkLimits,
  "Options": checkOptions,
};
