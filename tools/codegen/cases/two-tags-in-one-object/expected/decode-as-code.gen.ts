import { type Check, type Run, anyTag, fail, failAt, isObject } from "../../runtime/checks.js";

function checkRunning(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.since;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "since", "a string");
  return true;
}

function checkState(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.state) {
    case "running":
      return checkRunning(v, run);
  }
  return anyTag(v, run, "state");
}

function checkMessage(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.text !== "string") return failAt(run, v, "text", "a string");
  return true;
}

function checkUpdate(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.update) {
    case "message":
      return checkMessage(v, run);
    case "state_update":
      return checkState(v, run);
  }
  return anyTag(v, run, "update");
}

export const checks: Record<string, Check> = {
  "Running": checkRunning,
  "State": checkState,
  "Message": checkMessage,
  "Update": checkUpdate,
};
