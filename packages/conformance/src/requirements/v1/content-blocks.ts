import type { Requirement } from "../requirement.js";

/** The rules for content blocks. */
export const contentBlocksRequirements: readonly Requirement[] = [
  {
    id: "CONT-01",
    level: "MUST",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "A content block has one of five values of `type`: `text{text}`, `image{data,mimeType,uri?}`, `audio{data,mimeType}`, `resource_link{uri,name,mimeType?,title?,description?,size?}` or `resource{resource}`. All of them may have `annotations` and `_meta`. The union is closed.",
  },
  {
    id: "CONT-02",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "`data` and `blob` are base64 text.",
  },
  {
    id: "CONT-03",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "`resource.resource` is either `{uri,text,mimeType?}` or `{uri,blob,mimeType?}`. The member `text` or `blob` distinguishes them; a decoder that takes the first match reads an object with both as text.",
  },
  {
    id: "CONT-04",
    level: "SHOULD",
    binds: "client",
    observability: "review",
    sources: ["schema"],
    rule: "The text of a block may be plain or Markdown. The client renders it as Markdown.",
  },
  {
    id: "CONT-05",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    rule: "The prompt capabilities limit only prompts. The output of the agent and the content of tool calls may use any block type.",
  },
  {
    id: "CONT-06",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: '`annotations` has `audience?: ("assistant"|"user")[]`, `priority?: number` and `lastModified?: string`. The receiver ignores malformed members and drops unknown roles.',
  },
  {
    id: "CONT-07",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs"],
    rule: "The shapes equal those of the ContentBlock of MCP. The output of MCP tools can be forwarded unchanged.",
  },
  {
    id: "CONT-08",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "`resource_link.size` is a signed 64-bit integer, in bytes.",
  },
];
