import { type Check, type Run, fail, failAt, inside, isObject, lenientList, list, mend, within } from "../../runtime/checks.js";

function checkEntry(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.content !== "string") return failAt(run, v, "content", "a string");
  return true;
}

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkLists(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  let { n } = run;
  t = v.required;
  if (t === undefined) return failAt(run, v, "required", "an array");
  else if (!(lenientList(t, run, checkEntry) && run.n === n)) n = mend(run, v, "required", n, []);
  t = v.optional;
  if (t !== undefined && !(lenientList(t, run, checkAString) && run.n === n)) n = mend(run, v, "optional", n, []);
  t = v.nullable;
  if (t != null && !(lenientList(t, run, checkEntry) && run.n === n)) n = mend(run, v, "nullable", n);
  t = v.itemsOnly;
  if (!(lenientList(t, run, checkEntry) && run.n === n) && (n = within(run, "itemsOnly", n)) < 0) return false;
  t = v.wholeOnly;
  if (t != null && !list(t, run, checkEntry)) n = mend(run, v, "wholeOnly", n);
  t = v.strict;
  if (!list(t, run, checkEntry, 1)) return inside(run, "strict");
  return true;
}

export const checks: Record<string, Check> = {
  "Entry": checkEntry,
  "Lists": checkLists,
};
