import { type Check, type Run, type Test, list, record, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkTextContent: Check = /* @__PURE__ */ struct({ text: testString });
const checkBlock: Check = /* @__PURE__ */ tagged("type", { text: checkTextContent });
const checkChunk: Check = /* @__PURE__ */ struct({ messageId: testString, content: checkBlock });
function checkMessageByName(v: unknown, run: Run): boolean {
  return record(v, run, checkBlock);
}
const checkMessage: Check = /* @__PURE__ */ struct(
  { chunks: [list, checkChunk] },
  {},
  { byName: [/* optional */ 1, checkMessageByName], last: [/* optional, nullable */ 3, checkChunk] },
);
const checkUnrelated: Check = /* @__PURE__ */ struct({}, {}, { name: [/* optional */ 1, testString] });
export const checks: Record<string, Check> = {
  "TextContent": checkTextContent,
  "Block": checkBlock,
  "Chunk": checkChunk,
  "Message": checkMessage,
  "Unrelated": checkUnrelated,
};
