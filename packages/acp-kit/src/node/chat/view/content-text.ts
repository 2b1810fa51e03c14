import { fileURLToPath } from "node:url";
import type { IncomingContentBlock } from "@acp-kit/types";
import { cleanLine, cleanText } from "../text/clean.js";
import { shortPath } from "./short-path.js";

/** The content of a message as Markdown: text as it is, anything else in a few words. It only grows at the end while chunks come. */
export function contentText(content: readonly IncomingContentBlock[], cwd: string): string {
  let text = "";
  for (const [index, block] of content.entries()) {
    const isText = block.type === "text";
    const wasText = content[index - 1]?.type === "text";
    if (index > 0 && !(isText && wasText)) text += "\n\n";
    text += isText ? String(block.text) : blockLabel(block, cwd);
  }
  return cleanText(text);
}

/** A content block that is no text, in a few words. */
export function blockLabel(block: IncomingContentBlock, cwd: string): string {
  const { type, ...members } = block as { type: string } & Readonly<Record<string, unknown>>;
  switch (type) {
    case "text":
      return cleanText(String(members.text));
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

/** A file by its path, from the working directory if it is in there. */
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
