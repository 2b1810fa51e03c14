import { defineRules } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { mainlyAgents } from "../../requirements/untested.js";

/** The rules for content blocks. */
export const contentBlocksRules: readonly Requirement[] = defineRules({
  "CONT-01 both MUST schema": {
    rule: "A content block has one of five values of `type`: `text{text}`, `image{data,mimeType,uri?}`, `audio{data,mimeType}`, `resource_link{uri,name,mimeType?,title?,description?,size?}` or `resource{resource}`. All of them may have `annotations` and `_meta`. The union is closed.",
    spec: "schema ContentBlock/oneOf",
    remedy: "Send content blocks as the schema defines them: a type, and the members that this type requires.",
  },
  "CONT-02 both FACT schema": "`data` and `blob` are base64 text.",
  "CONT-03 both FACT schema": {
    rule: "`resource.resource` is either `{uri,text,mimeType?}` or `{uri,blob,mimeType?}`. The member `text` or `blob` distinguishes them; a decoder that takes the first match reads an object with both as text.",
    untested: { client: mainlyAgents },
  },
  "CONT-04 client SHOULD schema; review":
    "The text of a block may be plain or Markdown. The client renders it as Markdown.",
  "CONT-05 agent FACT docs":
    "The prompt capabilities limit only prompts. The output of the agent and the content of tool calls may use any block type.",
  "CONT-06 both FACT schema":
    '`annotations` has `audience?: ("assistant"|"user")[]`, `priority?: number` and `lastModified?: string`. The receiver ignores malformed members and drops unknown roles.',
  "CONT-07 both FACT docs": {
    rule: "The shapes equal those of the ContentBlock of MCP. The output of MCP tools can be forwarded unchanged.",
    untested: { client: mainlyAgents },
  },
  "CONT-08 both FACT schema": {
    rule: "`resource_link.size` is a signed 64-bit integer, in bytes.",
    untested: { client: mainlyAgents },
  },
});
