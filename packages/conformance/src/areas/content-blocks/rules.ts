import { defineRules, fact, must, should } from "../../requirements/define-rules.js";
import type { Requirement } from "../../requirements/requirement.js";
import { displayed, mainlyAgents } from "../../requirements/untested.js";

/** The rules for content blocks. */
export const contentBlocksRules: readonly Requirement[] = defineRules({
  "CONT-01": must("both", ["schema"], {
    rule: "A content block has one of five values of `type`: `text{text}`, `image{data,mimeType,uri?}`, `audio{data,mimeType}`, `resource_link{uri,name,mimeType?,title?,description?,size?}` or `resource{resource}`. All of them may have `annotations` and `_meta`. The union is closed.",
    spec: "schema ContentBlock/oneOf",
    remedy: "Send content blocks as the schema defines them: a type, and the members that this type requires.",
  }),
  "CONT-02": fact("both", ["schema"], { rule: "`data` and `blob` are base64 text." }),
  "CONT-03": fact("both", ["schema"], {
    rule: "`resource.resource` is either `{uri,text,mimeType?}` or `{uri,blob,mimeType?}`. The member `text` or `blob` distinguishes them; a decoder that takes the first match reads an object with both as text.",
    untested: { client: mainlyAgents },
  }),
  "CONT-04": should("client", ["schema"], {
    rule: "The text of a block may be plain or Markdown. The client renders it as Markdown.",
    observability: "review",
    untested: { client: displayed },
  }),
  "CONT-05": fact("agent", ["docs"], {
    rule: "The prompt capabilities limit only prompts. The output of the agent and the content of tool calls may use any block type.",
  }),
  "CONT-06": fact("both", ["schema"], {
    rule: '`annotations` has `audience?: ("assistant"|"user")[]`, `priority?: number` and `lastModified?: string`. The receiver ignores malformed members and drops unknown roles.',
  }),
  "CONT-07": fact("both", ["docs"], {
    rule: "The shapes equal those of the ContentBlock of MCP. The output of MCP tools can be forwarded unchanged.",
    untested: { client: mainlyAgents },
  }),
  "CONT-08": fact("both", ["schema"], {
    rule: "`resource_link.size` is a signed 64-bit integer, in bytes.",
    untested: { client: mainlyAgents },
  }),
});
