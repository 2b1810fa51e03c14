import { type Check, type Run, anyTag, fail, failAt, firstOf, isObject, onlyOneOf } from "../../runtime/checks.js";

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

function checkElicitationOther(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  return firstOf(v, run, [checkSessionScope, checkRequestScope]);
}

function checkElicitation(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.message !== "string") return failAt(run, v, "message", "a string");
  switch (v.mode) {
    case "form":
      return checkFormMode(v, run);
  }
  return anyTag(v, run, "mode") && checkElicitationOther(v, run);
}

export const checks: Record<string, Check> = {
  "SessionScope": checkSessionScope,
  "RequestScope": checkRequestScope,
  "FormMode": checkFormMode,
  "Elicitation": checkElicitation,
};
