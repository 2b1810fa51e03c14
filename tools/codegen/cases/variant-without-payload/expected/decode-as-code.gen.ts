import { type Check, type Run, anyTag, fail, failAt, isObject } from "../../runtime/checks.js";

function checkSelected(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.optionId !== "string") return failAt(run, v, "optionId", "a string");
  return true;
}

function checkOutcome(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.outcome) {
    case "cancelled":
      return true;
    case "selected":
      return checkSelected(v, run);
  }
  return anyTag(v, run, "outcome");
}

export const checks: Record<string, Check> = {
  "Selected": checkSelected,
  "Outcome": checkOutcome,
};
