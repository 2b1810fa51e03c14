import { type Check, type Run, anyTag, fail, failAt, isObject } from "../../runtime/checks.js";

function checkIdleState(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.note;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "note", "a string");
  return true;
}

function checkState(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.state) {
    case "idle":
      return checkIdleState(v, run);
  }
  return anyTag(v, run, "state");
}

function checkCustomState(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  return true;
}

export const checks: Record<string, Check> = {
  "IdleState": checkIdleState,
  "State": checkState,
  "CustomState": checkCustomState,
};
