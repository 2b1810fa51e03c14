import { type Check, type Run, fail, failAt, inside, isInteger, isNumber, isObject, list } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkImplementation(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  if (typeof v.name !== "string") return failAt(run, v, "name", "a string");
  t = v.title;
  if (t != null && typeof t !== "string") return failAt(run, v, "title", "a string or null");
  t = v.retries;
  if (t !== undefined && !isInteger(t, 0, 4294967295)) return failAt(run, v, "retries", "an integer from 0 up to 4294967295");
  t = v.ratio;
  if (t !== undefined && !isNumber(t, 0, 1)) return failAt(run, v, "ratio", "a number from 0 up to 1");
  t = v.tags;
  if (t !== undefined && !list(t, run, checkAString)) return inside(run, "tags");
  t = v.ready;
  if (t !== undefined && typeof t !== "boolean") return failAt(run, v, "ready", "a boolean");
  if (v.raw === undefined) return failAt(run, v, "raw", "present");
  return true;
}

export const checks: Record<string, Check> = {
  "Implementation": checkImplementation,
};
