import { type Check, type Run, fail, inside, isObject, list, record, replace } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkServer(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.args;
  if (t === null) replace(run, v, "args", "an array", []);
  else if (!list(t, run, checkAString)) return inside(run, "args");
  t = v.env;
  if (t === null) replace(run, v, "env", "an object", {});
  else if (t !== undefined && !record(t, run, checkAString)) return inside(run, "env");
  return true;
}

export const checks: Record<string, Check> = {
  "Server": checkServer,
};
