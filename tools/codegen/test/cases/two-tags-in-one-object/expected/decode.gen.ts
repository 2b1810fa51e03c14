import { type Check, type Test, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkRunning: Check = /* @__PURE__ */ struct({}, {}, { since: [/* optional */ 1, testString] });
const checkState: Check = /* @__PURE__ */ tagged("state", { running: checkRunning });
const checkMessage: Check = /* @__PURE__ */ struct({ text: testString });
const checkUpdate: Check = /* @__PURE__ */ tagged("update", { message: checkMessage, state_update: checkState });
export const checks: Record<string, Check> = {
  "Running": checkRunning,
  "State": checkState,
  "Message": checkMessage,
  "Update": checkUpdate,
};
