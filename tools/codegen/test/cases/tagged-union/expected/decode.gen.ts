import { type Check, type Test, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkTextContent: Check = /* @__PURE__ */ struct({ text: testString });
const checkImageContent: Check = /* @__PURE__ */ struct({ data: testString, mimeType: testString });
const checkContentBlock: Check = /* @__PURE__ */ tagged("type", { text: checkTextContent, image: checkImageContent });
export const checks: Record<string, Check> = {
  "TextContent": checkTextContent,
  "ImageContent": checkImageContent,
  "ContentBlock": checkContentBlock,
};
