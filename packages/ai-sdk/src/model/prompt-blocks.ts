import type { ContentBlock } from "@acp-kit/types";
import type { ModelPrompt } from "./model-types.js";

type Message = ModelPrompt[number];
type UserPart = Extract<Message, { role: "user" }>["content"][number];
type FilePart = Extract<UserPart, { type: "file" }>;

/**
 * Returns the content blocks to send for a prompt of the AI SDK. The AI SDK passes the whole conversation to a model at
 * each call. An agent remembers the conversation, so an existing session gets only the user's messages since the last
 * response. In a new session, the earlier conversation is sent as text.
 *
 * @throws {TypeError} when the prompt does not end with a message of the user.
 */
export function promptBlocks(prompt: ModelPrompt, { isNew }: { readonly isNew: boolean }): ContentBlock[] {
  const answered = prompt.findLastIndex(({ role }) => role === "assistant") + 1;
  const now = prompt.slice(answered).flatMap((message) => (message.role === "user" ? message.content : []));
  if (now.length === 0)
    throw new TypeError("The prompt must end with a message of the user, because an agent runs its tools itself");
  return [...(isNew ? before(prompt.slice(0, answered), prompt) : []), ...now.map(blockOf)];
}

/** Returns instructions and an earlier conversation as text. */
function before(messages: ModelPrompt, all: ModelPrompt): ContentBlock[] {
  const instructions = all.flatMap((message) => (message.role === "system" ? [message.content] : []));
  const said = messages.flatMap((message) => {
    if (message.role !== "user" && message.role !== "assistant") return [];
    const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return texts.length === 0 ? [] : [`${message.role === "user" ? "User" : "You"}: ${texts.join("\n")}`];
  });
  const history = said.length === 0 ? [] : [`The conversation so far:\n\n${said.join("\n\n")}`];
  return [...instructions, ...history].map((text) => ({ type: "text", text }));
}

function blockOf(part: UserPart): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  const { data, mediaType, filename } = part;
  const url = urlOf(data);
  if (url !== undefined) return { type: "resource_link", uri: url, name: filename ?? url, mimeType: mediaType };
  if (mediaType.startsWith("image/")) return { type: "image", data: base64Of(data), mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data: base64Of(data), mimeType: mediaType };
  const uri = `ai-sdk-file:${encodeURIComponent(filename ?? crypto.randomUUID())}`;
  if (!mediaType.startsWith("text/"))
    return { type: "resource", resource: { uri, blob: base64Of(data), mimeType: mediaType } };
  return { type: "resource", resource: { uri, text: new TextDecoder().decode(bytesOf(data)), mimeType: mediaType } };
}

function urlOf(data: FilePart["data"]): string | undefined {
  return data instanceof URL ? data.href : undefined;
}

function base64Of(data: FilePart["data"]): string {
  if (typeof data === "string") return data;
  return btoa(Array.from(bytesOf(data), (byte) => String.fromCharCode(byte)).join(""));
}

function bytesOf(data: FilePart["data"]): Uint8Array {
  if (data instanceof Uint8Array) return data;
  return Uint8Array.from(atob(String(data)), (char) => char.charCodeAt(0));
}
