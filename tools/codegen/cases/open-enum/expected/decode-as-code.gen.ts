import { type Check, type Run, fail, inside, isInteger, isObject, list } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkAnIntegerFrom2147483648UpTo2147483647(v: unknown, run: Run): boolean {
  return isInteger(v, -2147483648, 2147483647) || fail(run, v, "an integer from -2147483648 up to 2147483647");
}

function checkTool(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.kinds;
  if (t !== undefined && !list(t, run, checkAString)) return inside(run, "kinds");
  return true;
}

export const checks: Record<string, Check> = {
  "ToolKind": checkAString,
  "ErrorCode": checkAnIntegerFrom2147483648UpTo2147483647,
  "Tool": checkTool,
};
