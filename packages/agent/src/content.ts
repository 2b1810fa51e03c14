import type { ContentBlock, Diff, ToolCallContent } from "@acp-kit/types";

/** Creates a text content block. Clients render the text as Markdown. */
export function text(text: string): Extract<ContentBlock, { type: "text" }> {
  return { type: "text", text };
}

/** Wraps a content block, or a text, as content of a tool call. */
export function content(block: ContentBlock | string): ToolCallContent {
  return { type: "content", content: typeof block === "string" ? text(block) : block };
}

/**
 * Creates the content of a tool call for a change of a file. `path` is an absolute path; leave `oldText` out for a new
 * file.
 */
export function diff(change: Diff): ToolCallContent {
  return { type: "diff", ...change };
}

/** Converts a text to a text block; returns a content block unchanged. */
export function toBlock(value: ContentBlock | string): ContentBlock {
  return typeof value === "string" ? text(value) : value;
}
