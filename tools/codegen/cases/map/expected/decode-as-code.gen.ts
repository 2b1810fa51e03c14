import { type Check, type Run, fail, failAt, fill, inside, isInteger, isObject, list, record, replace } from "../../runtime/checks.js";

function checkValue(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.text;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "text", "a string");
  return true;
}

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkMapsListsValue(v: unknown, run: Run): boolean {
  return list(v, run, checkAString);
}

function checkMaps(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.any;
  if (t != null && !isObject(t)) return failAt(run, v, "any", "an object or null");
  t = v.strings;
  if (t === null) replace(run, v, "strings", "an object", {});
  else if (t !== undefined && !record(t, run, checkAString)) return inside(run, "strings");
  t = v.values;
  if (t === undefined) fill(run, v, "values", {});
  else if (!record(t, run, checkValue)) return inside(run, "values");
  t = v.lists;
  if (t !== undefined && !record(t, run, checkMapsListsValue)) return inside(run, "lists");
  return true;
}

function checkOpen(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (!isInteger(v.code, -2147483648, 2147483647)) return failAt(run, v, "code", "an integer from -2147483648 up to 2147483647");
  return true;
}

export const checks: Record<string, Check> = {
  "Value": checkValue,
  "Maps": checkMaps,
  "Open": checkOpen,
};
