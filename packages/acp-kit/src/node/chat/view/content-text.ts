import { fileURLToPath } from "node:url";
import type { IncomingContentBlock } from "@acp-kit/types";
import { cleanLine, cleanText } from "../text/clean.js";
import { type Bounded, bounded, limits } from "../text/limits.js";
import { shortPath } from "./short-path.js";

/**
 * Formats the content of a message as Markdown: text unchanged, other blocks in a few words. New chunks only change the
 * end of the result. The result has a maximum length, and contains the number of omitted characters.
 */
export function contentText(content: readonly IncomingContentBlock[], cwd: string): Bounded {
  const parts: string[] = [];
  let length = 0;
  let missing = 0;
  let wasText = false;
  for (const [index, block] of content.entries()) {
    const isText = block.type === "text";
    if (length >= limits.message) missing += isText ? String(block.text).length : 0;
    else {
      const gap = index > 0 && !(isText && wasText) ? "\n\n" : "";
      const part = isText ? bounded(String(block.text), limits.message - length) : undefined;
      const text = gap + (part?.text ?? blockLabel(block, cwd).text);
      parts.push(text);
      length += text.length;
      missing += part?.missing ?? 0;
    }
    wasText = isText;
  }
  return { text: cleanText(parts.join("")), missing };
}

/** Returns the text of a text block, cut at the limit, and describes any other block in a few words. */
export function blockLabel(block: IncomingContentBlock, cwd: string): Bounded {
  if (block.type !== "text") return { text: labelOf(block, cwd), missing: 0 };
  const { text, missing } = bounded(String(block.text), limits.text);
  return { text: cleanText(text), missing };
}

function labelOf(block: IncomingContentBlock, cwd: string): string {
  const { type, ...members } = block as { type: string } & Readonly<Record<string, unknown>>;
  switch (type) {
    case "resource_link":
      return `📎 ${words(members.title ?? members.name, place(members.uri, cwd))}`;
    case "resource": {
      const { uri, mimeType, text } = Object(members.resource) as Record<string, unknown>;
      const size = typeof text === "string" ? `${text.length} characters` : mimeType;
      return `📎 ${words(place(uri, cwd), size)}`;
    }
    case "image":
    case "audio":
      return `${type === "image" ? "🖼" : "♪"} ${words(members.mimeType, base64Size(members.data))}`;
    default:
      return `[${cleanLine(type)}]`;
  }
}

function words(first: unknown, second: unknown): string {
  const [a, b] = [first, second].map((each) => (typeof each === "string" ? cleanLine(each) : ""));
  return b && b !== a ? `${a} (${b})` : (a ?? "");
}

/** Formats the path of a file, relative to the working directory if it is inside. */
function place(uri: unknown, cwd: string): unknown {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return uri;
  try {
    return shortPath(fileURLToPath(uri), cwd);
  } catch {
    return uri;
  }
}

function base64Size(data: unknown): string {
  if (typeof data !== "string") return "";
  const bytes = Math.floor((data.length * 3) / 4);
  return bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
}
