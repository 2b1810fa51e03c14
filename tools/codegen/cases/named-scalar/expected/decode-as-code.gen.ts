import { type Check, type Run, fail, failAt, isInteger, isObject } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkAnIntegerFrom0UpTo65535(v: unknown, run: Run): boolean {
  return isInteger(v, 0, 65535) || fail(run, v, "an integer from 0 up to 65535");
}

function checkEnded(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.sessionId !== "string") return failAt(run, v, "sessionId", "a string");
  if (!isInteger(v.version, 0, 65535)) return failAt(run, v, "version", "an integer from 0 up to 65535");
  return true;
}

export const checks: Record<string, Check> = {
  "SessionId": checkAString,
  "ProtocolVersion": checkAnIntegerFrom0UpTo65535,
  "Ended": checkEnded,
};
