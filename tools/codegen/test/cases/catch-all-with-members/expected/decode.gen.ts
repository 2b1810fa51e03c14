import { type Check, type Test, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkCommand: Check = /* @__PURE__ */ struct({ name: testString });
const checkAvailableCommandOther: Check = /* @__PURE__ */ struct({ name: testString });
const checkAvailableCommand: Check = /* @__PURE__ */ tagged("type", { command: checkCommand }, checkAvailableCommandOther);
export const checks: Record<string, Check> = {
  "Command": checkCommand,
  "AvailableCommand": checkAvailableCommand,
};
