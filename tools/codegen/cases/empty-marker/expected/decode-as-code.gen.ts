import { type Check, type Run, fail, inside, isObject, replace, within } from "../../runtime/checks.js";

function checkNoticeCapabilities(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  return true;
}

function checkListCapabilities(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v._meta;
  if (t != null && !isObject(t)) replace(run, v, "_meta", "an object or null");
  return true;
}

function checkCapabilities(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  let { n } = run;
  t = v.notices;
  if (t != null && !checkNoticeCapabilities(t, run)) return inside(run, "notices");
  t = v.list;
  if (t != null && !(checkListCapabilities(t, run) && run.n === n) && (n = within(run, "list", n)) < 0) return false;
  return true;
}

export const checks: Record<string, Check> = {
  "NoticeCapabilities": checkNoticeCapabilities,
  "ListCapabilities": checkListCapabilities,
  "Capabilities": checkCapabilities,
};
