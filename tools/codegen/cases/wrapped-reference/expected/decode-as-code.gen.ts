import { type Check, type Run, fail, failAt, isInteger, isObject, mend } from "../../runtime/checks.js";

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
  t = v.limits;
  if (t === undefined || !checkLimits(t, run)) mend(run, v, "limits", run.n, {"lines":100});
  return true;
}

export const checks: Record<string, Check> = {
  "Limits": checkLimits,
  "Options": checkOptions,
  "Alias": checkOptions,
};
