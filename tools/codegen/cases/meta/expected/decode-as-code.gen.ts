import { type Check, type Run, fail, failAt, isObject, replace } from "../../runtime/checks.js";

function checkA(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v._meta;
  if (t != null && !isObject(t)) replace(run, v, "_meta", "an object or null");
  return true;
}

function checkB(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.name;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "name", "a string");
  t = v._meta;
  if (t != null && !isObject(t)) replace(run, v, "_meta", "an object or null");
  return true;
}

function checkC(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v._meta;
  if (t != null && !isObject(t)) replace(run, v, "_meta", "an object or null");
  return true;
}

export const checks: Record<string, Check> = {
  "A": checkA,
  "B": checkB,
  "C": checkC,
};
