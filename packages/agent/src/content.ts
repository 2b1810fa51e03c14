import type { ContentBlock, Diff, ToolCallContent } from "@acp-kit/types";

/** A text block. Clients render it as Markdown. */
export function text(text: string): Extract<ContentBlock, { type: "text" }> {
  return { type: "text", text };
}

/** Wraps a block, or text, as content of a tool call. */
export function content(block: ContentBlock | string): ToolCallContent {
  return { type: "content", content: typeof block === "string" ? text(block) : block };
}

/** A change of a file as content of a tool call. `path` is absolute; leave `oldText` out for a new file. */
export function diff(change: Diff): ToolCallContent {
  return { type: "diff", ...change };
}

/** Converts a text to a text block; returns a block as it is. */
export function toBlock(value: ContentBlock | string): ContentBlock {
  return typeof value === "string" ? text(value) : value;
}
