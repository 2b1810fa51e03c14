import { type Check, type Run, type Test, fail, isInteger, struct } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
function checkAnIntegerFrom0UpTo65535(v: unknown, run: Run): boolean {
  return isInteger(v, 0, 65535) || fail(run, v, "an integer from 0 up to 65535");
}
const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const testIntegerFrom0UpTo65535: Test = { expected: "an integer from 0 up to 65535", holds: (v) => isInteger(v, 0, 65535) };
const checkEnded: Check = /* @__PURE__ */ struct({ sessionId: testString, version: testIntegerFrom0UpTo65535 });
export const checks: Record<string, Check> = {
  "SessionId": checkAString,
  "ProtocolVersion": checkAnIntegerFrom0UpTo65535,
  "Ended": checkEnded,
};
