import { type Check, type Run, fail, failAt, isObject, onlyOneOf } from "../../runtime/checks.js";

function checkSessionScope(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.sessionId !== "string") return failAt(run, v, "sessionId", "a string");
  return true;
}

function checkRequestScope(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.requestId !== "string") return failAt(run, v, "requestId", "a string");
  return true;
}

function checkFormMode(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.title !== "string") return failAt(run, v, "title", "a string");
  return onlyOneOf(v, run, [checkSessionScope, checkRequestScope]);
}

export const checks: Record<string, Check> = {
  "SessionScope": checkSessionScope,
  "RequestScope": checkRequestScope,
  "FormMode": checkFormMode,
};
