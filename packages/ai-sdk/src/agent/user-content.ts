import type { IncomingContentBlock } from "@acp-kit/types";
import { isKnownContentBlock } from "@acp-kit/types";
import type { ModelMessage } from "ai";

type UserPart = Exclude<Extract<ModelMessage, { role: "user" }>["content"], string>[number];

/**
 * Converts the content blocks of a prompt to the content of a user message for a model. Links become text, because
 * tools can open them and a model can't. Embedded text keeps its URI.
 */
export function userContent(prompt: readonly IncomingContentBlock[]): UserPart[] {
  return prompt.map(userPart);
}

function userPart(block: IncomingContentBlock): UserPart {
  if (!isKnownContentBlock(block)) return text(`(content of an unknown type: ${block.type})`);
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
      return { type: "image", image: block.data, mediaType: block.mimeType };
    case "audio":
      return { type: "file", data: block.data, mediaType: block.mimeType };
    case "resource_link":
      return text(`[${block.title ?? block.name}](${block.uri})`);
    case "resource": {
      const { uri, mimeType } = block.resource;
      if ("text" in block.resource) return text(`<resource uri="${uri}">\n${block.resource.text}\n</resource>`);
      return { type: "file", data: block.resource.blob, mediaType: mimeType ?? "application/octet-stream" };
    }
  }
}

const text = (text: string): UserPart => ({ type: "text", text });
