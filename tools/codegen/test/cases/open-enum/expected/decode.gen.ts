import { type Check, type Run, fail, isInteger, list, struct } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
function checkAnIntegerFrom2147483648UpTo2147483647(v: unknown, run: Run): boolean {
  return isInteger(v, -2147483648, 2147483647) || fail(run, v, "an integer from -2147483648 up to 2147483647");
}
const checkTool: Check = /* @__PURE__ */ struct({}, {}, { kinds: [/* optional */ 1, [list, checkAString]] });
export const checks: Record<string, Check> = {
  "ToolKind": checkAString,
  "ErrorCode": checkAnIntegerFrom2147483648UpTo2147483647,
  "Tool": checkTool,
};
