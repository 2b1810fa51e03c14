import { type Check, type Run, fail, list, record, struct } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
function checkServerEnv(v: unknown, run: Run): boolean {
  return record(v, run, checkAString);
}
const checkServer: Check = /* @__PURE__ */ struct(
  {},
  {},
  { args: [/* emptied */ 8, [list, checkAString]], env: [/* optional, emptied */ 9, checkServerEnv] },
);
export const checks: Record<string, Check> = {
  "Server": checkServer,
};
