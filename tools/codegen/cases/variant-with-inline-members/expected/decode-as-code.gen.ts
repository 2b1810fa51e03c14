import { type Check, type Run, anyTag, fail, failAt, isObject } from "../../runtime/checks.js";

function checkSetOptionBoolean(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.value !== "boolean") return failAt(run, v, "value", "a boolean");
  return true;
}

function checkSetOptionId(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.value !== "string") return failAt(run, v, "value", "a string");
  return true;
}

function checkSetOption(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.type) {
    case "boolean":
      return checkSetOptionBoolean(v, run);
    case "id":
      return checkSetOptionId(v, run);
  }
  return anyTag(v, run, "type");
}

export const checks: Record<string, Check> = {
  "SetOption": checkSetOption,
};
