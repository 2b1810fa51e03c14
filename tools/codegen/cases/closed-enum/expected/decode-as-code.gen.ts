import { type Check, type Run, fail, failOneOf, inside, isObject, list } from "../../runtime/checks.js";

function checkFormat(v: unknown, run: Run): boolean {
  switch (v) {
    case "email":
    case "date-time":
      return true;
  }
  return failOneOf(run, v, "\"email\", \"date-time\"");
}

function checkOld(v: unknown, run: Run): boolean {
  switch (v) {
    case "a":
    case "b":
      return true;
  }
  return failOneOf(run, v, "\"a\", \"b\"");
}

function checkField(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.format;
  if (t != null && !checkFormat(t, run)) return inside(run, "format");
  t = v.all;
  if (t !== undefined && !list(t, run, checkFormat)) return inside(run, "all");
  return true;
}

export const checks: Record<string, Check> = {
  "Format": checkFormat,
  "Old": checkOld,
  "Field": checkField,
};
