import { type Check, type Run, fail, failAt, isObject, orUntagged, replace, untaggedOr } from "../../runtime/checks.js";

function checkErrorReason(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.error;
  if (t != null && typeof t !== "string") replace(run, v, "error", "a string or null");
  return true;
}

function checkIdleNone(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.stopReason;
  if (t !== undefined && t !== null) return failAt(run, v, "stopReason", "null");
  return true;
}

function checkIdle(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.note;
  if (t != null && typeof t !== "string") return failAt(run, v, "note", "a string or null");
  t = v.stopReason;
  if (t != null && typeof t !== "string") replace(run, v, "stopReason", "a string or null");
  const start = run.n;
  switch (v.stopReason) {
    case "end_turn":
      return true;
    case "error":
      return checkErrorReason(v, run) || orUntagged(v, run, "stopReason", start, checkIdleNone);
  }
  return untaggedOr(v, run, "stopReason", start, checkIdleNone);
}

export const checks: Record<string, Check> = {
  "ErrorReason": checkErrorReason,
  "Idle": checkIdle,
};
