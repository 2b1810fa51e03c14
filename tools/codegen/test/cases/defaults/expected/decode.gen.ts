import { type Check, type Run, type Test, record, struct } from "../../runtime/checks.js";

const testBoolean: Test = { expected: "a boolean", holds: (v) => typeof v === "boolean" };
const checkPrompt: Check = /* @__PURE__ */ struct({}, {}, { image: [/* mended, filled */ 20, testBoolean, false] });
function checkCapabilitiesProperties(v: unknown, run: Run): boolean {
  return record(v, run, checkPrompt);
}
const checkCapabilities: Check = /* @__PURE__ */ struct(
  {},
  {},
  {
    load: [/* mended, filled */ 20, testBoolean, false],
    prompt: [/* mended, filled */ 20, checkPrompt, () => ({"image":false})],
    properties: [/* filled */ 16, checkCapabilitiesProperties, () => ({})],
  },
);
export const checks: Record<string, Check> = {
  "Prompt": checkPrompt,
  "Capabilities": checkCapabilities,
};
