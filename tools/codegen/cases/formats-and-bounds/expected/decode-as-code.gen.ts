import { type Check, type Run, fail, failAt, isDateTime, isInteger, isLongString, isNumber, isObject, isUri, replace } from "../../runtime/checks.js";

function checkFormats(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  if (!isUri(v.url)) return failAt(run, v, "url", "an absolute URI");
  t = v.at;
  if (t != null && !isDateTime(t)) replace(run, v, "at", "an RFC 3339 date-time or null");
  t = v.pattern;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "pattern", "a string");
  if (!isLongString(v.title, 1)) return failAt(run, v, "title", "a non-empty string");
  if (!isInteger(v.port, 1, 65535)) return failAt(run, v, "port", "an integer from 1 up to 65535");
  t = v.line;
  if (t != null && !isInteger(t, 0, 4294967295)) return failAt(run, v, "line", "an integer from 0 up to 4294967295 or null");
  if (!isInteger(v.code, -2147483648, 2147483647)) return failAt(run, v, "code", "an integer from -2147483648 up to 2147483647");
  if (!isInteger(v.size, 0)) return failAt(run, v, "size", "an integer from 0");
  if (!isInteger(v.offset)) return failAt(run, v, "offset", "an integer");
  if (!isNumber(v.ratio, 0, 1)) return failAt(run, v, "ratio", "a number from 0 up to 1");
  return true;
}

export const checks: Record<string, Check> = {
  "Formats": checkFormats,
};
