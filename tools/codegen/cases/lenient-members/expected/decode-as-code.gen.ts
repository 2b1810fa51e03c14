import { type Check, type Run, fail, failAt, isNumber, isObject, mend, replace } from "../../runtime/checks.js";

function checkCost(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (!isNumber(v.amount)) return failAt(run, v, "amount", "a number");
  return true;
}

function checkUsage(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.label;
  if (t !== undefined && typeof t !== "string") replace(run, v, "label", "a string");
  t = v.title;
  if (t != null && typeof t !== "string") replace(run, v, "title", "a string or null");
  t = v.cost;
  if (t != null && !checkCost(t, run)) mend(run, v, "cost", run.n);
  t = v.exact;
  if (t !== undefined && !checkCost(t, run)) mend(run, v, "exact", run.n);
  return true;
}

export const checks: Record<string, Check> = {
  "Cost": checkCost,
  "Usage": checkUsage,
};
