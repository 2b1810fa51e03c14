import type { Requirement } from "../requirement.js";

/** Content blocks. */
export const contentBlocksRequirements: readonly Requirement[] = [
  {
    id: "CONT-01",
    level: "MUST",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "Five block types by `type`: `text{text}`, `image{data,mimeType,uri?}`, `audio{data,mimeType}`, `resource_link{uri,name,mimeType?,title?,description?,size?}`, `resource{resource}`; all take `annotations?` and `_meta?`. Closed union.",
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
    rule: "`resource.resource` is either `{uri,text,mimeType?}` or `{uri,blob,mimeType?}`; distinguished by which of `text`/`blob` is present (if both are present a first-match decoder sees text).",
  },
  {
    id: "CONT-04",
    level: "SHOULD",
    binds: "client",
    observability: "review",
    sources: ["schema"],
    rule: "Text may be plain or Markdown; clients render it as Markdown.",
  },
  {
    id: "CONT-05",
    level: "FACT",
    binds: "agent",
    observability: "wire",
    sources: ["docs"],
    rule: "Prompt capabilities only restrict prompts. Agent output and tool content may use any block type.",
  },
  {
    id: "CONT-06",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: '`annotations`: `audience?: ("assistant"|"user")[]`, `priority?: number`, `lastModified?: string`; malformed members are ignored, unknown roles dropped.',
  },
  {
    id: "CONT-07",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["docs"],
    rule: "Shapes match MCP's ContentBlock, so MCP tool output can be forwarded unchanged.",
  },
  {
    id: "CONT-08",
    level: "FACT",
    binds: "both",
    observability: "wire",
    sources: ["schema"],
    rule: "`resource_link.size` is a signed 64-bit integer in bytes.",
  },
];
