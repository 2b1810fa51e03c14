import type { ToolCallContent } from "@acp-kit/agent";
import { content } from "@acp-kit/agent";
import type { ContentBlock } from "@acp-kit/types";
import { metaOf, toText } from "./json.js";
import type { AnyPart } from "./stream-part.js";

/**
 * Converts a source part of the AI SDK to a resource link. If a document has no address, the URI is the id that the
 * model chose.
 */
export function sourceBlock({ id, sourceId = id ?? "", url, title, filename, mediaType }: AnyPart): ContentBlock {
  const uri = url ?? `ai-sdk-source:${encodeURIComponent(sourceId)}`;
  const meta = metaOf({ sourceId, filename });
  const mimeType = mediaType === undefined ? {} : { mimeType: mediaType };
  return { type: "resource_link", uri, name: title ?? filename ?? uri, ...mimeType, ...meta };
}

/** Converts a file of the model to a block with its bytes, or to a link if the part contains only an address. */
export function fileBlock({
  file,
  url,
  mediaType = file?.mediaType ?? "application/octet-stream",
}: AnyPart): ContentBlock {
  const data = file?.base64 ?? base64Of(url);
  if (data === undefined)
    return { type: "resource_link", uri: url ?? "", name: nameOf(url ?? ""), mimeType: mediaType };
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data, mimeType: mediaType };
  const uri = `ai-sdk-file:${crypto.randomUUID()}`;
  return { type: "resource", resource: { uri, blob: data, mimeType: mediaType } };
}

/** Returns the content to show for a tool's output: its content blocks or, if it has none, its text. */
export function outputContent(output: unknown): ToolCallContent[] {
  const blocks = mcpBlocks(output);
  if (blocks !== undefined) return blocks.map((block) => content(block));
  const text = toText(output);
  return text === undefined || text === "" ? [] : [content(text)];
}

/** Returns the content blocks in the output of an MCP tool. MCP tools return the same blocks as ACP. */
function mcpBlocks(output: unknown): ContentBlock[] | undefined {
  if (typeof output !== "object" || output === null || !("content" in output)) return undefined;
  const blocks = output.content;
  if (!Array.isArray(blocks) || blocks.length === 0 || !blocks.every(isBlock)) return undefined;
  return blocks;
}

function isBlock(value: unknown): value is ContentBlock {
  if (typeof value !== "object" || value === null) return false;
  const block = value as Record<string, unknown>;
  const has = (...names: string[]): boolean => names.every((name) => typeof block[name] === "string");
  if (block.type === "text") return has("text");
  if (block.type === "image" || block.type === "audio") return has("data", "mimeType");
  if (block.type === "resource_link") return has("uri", "name");
  return false;
}

function base64Of(url: string | undefined): string | undefined {
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url ?? "") ?? [];
  return data;
}

function nameOf(url: string): string {
  return url.split(/[?#]/, 1)[0]?.split("/").findLast(Boolean) ?? url;
}
