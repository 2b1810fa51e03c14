import { type Check, type Test, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkTextContent: Check = /* @__PURE__ */ struct({ text: testString });
const checkBlock: Check = /* @__PURE__ */ tagged("type", { text: checkTextContent });
export const checks: Record<string, Check> = {
  "TextContent": checkTextContent,
  "Block": checkBlock,
};
