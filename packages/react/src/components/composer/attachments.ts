import { mimeTypeOf } from "@acp-kit/client/internal";
import type { ContentBlock } from "@acp-kit/types";

/** A file in the user's prompt. */
export interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly block: ContentBlock;
}

/** The kinds of content that an agent accepts in a prompt: its `promptCapabilities`. */
export interface AcceptedContent {
  readonly image?: boolean | undefined;
  readonly audio?: boolean | undefined;
  readonly embeddedContext?: boolean | undefined;
}

/** The maximum size of an attached file, in bytes. */
export const MAX_ATTACHMENT = 10_000_000;

/**
 * Reads a file of the user as a content block: an image or audio, or an embedded text.
 *
 * @throws {Error} when the agent doesn't accept the kind of file, or the file is too large or not text. The message is
 * a sentence for the user.
 */
export async function attachmentOf(file: File, accepts: AcceptedContent): Promise<ContentBlock> {
  const { name, size } = file;
  if (size > MAX_ATTACHMENT) throw new Error(`${name} is larger than ${MAX_ATTACHMENT / 1_000_000} MB.`);
  const mimeType = file.type || mimeTypeOf(name) || "application/octet-stream";
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (mimeType.startsWith("image/") && accepts.image) return { type: "image", mimeType, data: base64(bytes) };
  if (mimeType.startsWith("audio/") && accepts.audio) return { type: "audio", mimeType, data: base64(bytes) };
  if (!accepts.embeddedContext) throw new Error(`This agent doesn't accept files like ${name}.`);
  const uri = `attachment:///${encodeURIComponent(name)}`;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { type: "resource", resource: { uri, mimeType, text } };
  } catch {
    return { type: "resource", resource: { uri, mimeType, blob: base64(bytes) } };
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}
