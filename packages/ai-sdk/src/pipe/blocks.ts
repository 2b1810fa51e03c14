import type { ToolCallContent } from "@acp-kit/agent";
import { content } from "@acp-kit/agent";
import type { ContentBlock } from "@acp-kit/types";
import { metaOf, toText } from "./json.js";
import type { AnyPart } from "./stream-part.js";

/** Converts a source part of the AI SDK to a resource link. A document without an address has the model's id. */
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
    return { type: "resource_link", uri: url ?? "", name: nameOf(url ?? "", mediaType), mimeType: mediaType };
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data, mimeType: mediaType };
  const uri = `ai-sdk-file:${crypto.randomUUID()}`;
  return { type: "resource", resource: { uri, blob: data, mimeType: mediaType } };
}

/** Returns what to show of a tool's output: content blocks, as MCP and ACP have, structured content, or text. */
export function outputContent(output: unknown): ToolCallContent[] {
  const { content: blocks, structuredContent } = mcpResult(output);
  if (Array.isArray(blocks) && blocks.length > 0) {
    const shown = blocks.map(blockOf);
    if (blocks.some(isBlock) && shown.every((block) => block !== undefined))
      return shown.map((block) => content(block));
  }
  const text = toText(structuredContent ?? output);
  return text === undefined || text === "" ? [] : [content(text)];
}

/** Returns whether the output is the result with which an MCP tool reports a failure. */
export function isFailedResult(output: unknown): boolean {
  const { isError, content: blocks } = mcpResult(output);
  return isError === true && Array.isArray(blocks);
}

interface McpResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

function mcpResult(output: unknown): McpResult {
  return typeof output === "object" && output !== null ? output : {};
}

/** Converts a block of an MCP result. A block of another kind becomes its JSON; what is no block is `undefined`. */
function blockOf(value: unknown): ContentBlock | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const block = value as Readonly<Record<string, unknown>>;
  if (typeof block.type !== "string") return undefined;
  return isBlock(block) ? block : { type: "text", text: toText(block) ?? "" };
}

function isBlock(block: unknown): block is ContentBlock {
  const { type, resource } = Object(block) as { readonly type?: unknown; readonly resource?: unknown };
  const has = (...names: string[]): boolean => hasTexts(block, ...names);
  if (type === "text") return has("text");
  if (type === "image" || type === "audio") return has("data", "mimeType");
  if (type === "resource_link") return has("uri", "name");
  return type === "resource" && hasTexts(resource, "uri") && (hasTexts(resource, "text") || hasTexts(resource, "blob"));
}

function hasTexts(value: unknown, ...names: string[]): boolean {
  const members = Object(value) as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof members[name] === "string");
}

/** Returns the data of a `data:` URL in base64, or `undefined` for other URLs. Scheme and marker may have any case. */
function base64Of(url: string | undefined): string | undefined {
  const [, head, data = ""] = /^data:([^,]*),(.*)$/is.exec(url ?? "") ?? [];
  if (head === undefined) return undefined;
  try {
    const text = decodeURIComponent(data);
    if (/;\s*base64\s*$/i.test(head)) return text;
    return base64OfText(text);
  } catch {
    return undefined; // the text is not percent-encoded UTF-8
  }
}

function base64OfText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}

function nameOf(url: string, mediaType: string): string {
  if (/^data:/i.test(url)) return mediaType; // the data itself is no name
  return url.split(/[?#]/, 1)[0]?.split("/").findLast(Boolean) ?? url;
}
