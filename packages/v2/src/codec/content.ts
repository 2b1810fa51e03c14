import type * as v1 from "@acp-kit/types";
import {
  type Annotations,
  type ContentBlock,
  type IncomingContentBlock,
  isKnownContentBlock,
  type TextContentBlock,
} from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";
import { isObject, type JsonObject } from "./objects.js";

const v1Roles: ReadonlySet<unknown> = new Set<v1.Role>(["assistant", "user"]);

/**
 * Converts a content block of version 2. The known blocks are equal in both versions; version 1 has no others, so a
 * text takes their place.
 *
 * @see https://agentclientprotocol.com/protocol/v2/content
 */
export function contentToV1(block: IncomingContentBlock, lost: Lost): v1.ContentBlock {
  if (!isKnownContentBlock(block)) {
    lost("content");
    return { type: "text", text: `[Content of type ${String(block.type)} is not supported]` };
  }
  const audience = (block.annotations as Annotations | null | undefined)?.audience;
  if (!audience || audience.every((role) => v1Roles.has(role))) return block as v1.ContentBlock;
  lost("annotations");
  const annotations = { ...block.annotations, audience: audience.filter((role) => v1Roles.has(role)) };
  return { ...block, annotations } as v1.ContentBlock;
}

/**
 * Converts a content block of version 1. Version 2 has stricter members: absolute URIs, sizes from 0, and priorities
 * from 0 to 1. Unknown blocks are passed unchanged.
 */
export function contentToV2(block: v1.IncomingContentBlock, lost: Lost): ContentBlock {
  const changes: JsonObject = {};
  const { annotations, uri, resource, size } = block as JsonObject;
  const priority = isObject(annotations) ? annotations.priority : undefined;
  if (typeof priority === "number" && !(priority >= 0 && priority <= 1)) {
    lost("annotations");
    changes.annotations = { ...(annotations as object), priority: priority > 1 ? 1 : 0 };
  }
  if (typeof uri === "string" && !URL.canParse(uri)) changes.uri = absoluteUri(uri, lost);
  if (typeof size === "number" && size < 0) changes.size = null;
  if (isObject(resource) && typeof resource.uri === "string" && !URL.canParse(resource.uri))
    changes.resource = { ...resource, uri: absoluteUri(resource.uri, lost) };
  return (Object.keys(changes).length === 0 ? block : { ...block, ...changes }) as ContentBlock;
}

/** Makes a path or another relative reference an absolute `file:` URI, because version 2 requires `format: uri`. */
function absoluteUri(reference: string, lost: Lost): string {
  lost("resource_uri");
  return URL.canParse(reference, "file:///") ? new URL(reference, "file:///").href : "file:///";
}

/** The text of a message. An agent may change the other blocks of a prompt, so this text identifies the prompt. */
export function joinedText(content: readonly IncomingContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? (block as TextContentBlock).text : "")).join("");
}
