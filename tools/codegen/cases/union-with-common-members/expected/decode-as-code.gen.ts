import { type Check, type Run, anyTag, fail, failAt, inside, isObject, list, replace } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkSelect(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.options;
  if (!list(t, run, checkAString)) return inside(run, "options");
  return true;
}

function checkConfigOptionBoolean(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.currentValue !== "boolean") return failAt(run, v, "currentValue", "a boolean");
  return true;
}

function checkConfigOption(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  if (typeof v.name !== "string") return failAt(run, v, "name", "a string");
  t = v._meta;
  if (t != null && !isObject(t)) replace(run, v, "_meta", "an object or null");
  switch (v.type) {
    case "select":
      return checkSelect(v, run);
    case "boolean":
      return checkConfigOptionBoolean(v, run);
  }
  return anyTag(v, run, "type");
}

export const checks: Record<string, Check> = {
  "Select": checkSelect,
  "ConfigOption": checkConfigOption,
};
