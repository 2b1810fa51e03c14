import type { IncomingContentChunk } from "@acp-kit/types";
import { textOf } from "./message-draft.js";
import type { MessageEntry } from "./transcript-entry.js";
import type { TranscriptTurn } from "./transcript-snapshot.js";

type Echo = NonNullable<TranscriptTurn["echo"]>;

/**
 * Decides whether a user chunk after a prompt continues the prompt's echo, or is a message of its own.
 *
 * It is an echo as long as all chunks together are a prefix of the prompt. If they differ, they were a message from the start, and `own` has all
 * of it.
 */
export function matchEcho(
  echo: Echo | undefined,
  prompt: MessageEntry,
  chunk: IncomingContentChunk,
): { readonly echo: Echo | undefined; readonly own: readonly IncomingContentChunk[] } {
  const { content } = chunk;
  const messageId = chunk.messageId ?? echo?.messageId;
  const named = messageId !== undefined && { messageId };
  if (echo !== undefined && messageId !== echo.messageId) return { echo, own: [chunk] };
  const matched = echo?.text.length ?? 0;
  const added = textOf([content]);
  const isInPrompt = content.type === "text" || prompt.content.some(({ type }) => type === content.type);
  // Only the new text is compared: an echo may arrive in as many pieces as it has characters.
  if (isInPrompt && prompt.text.startsWith(added, matched)) {
    return { echo: { text: prompt.text.slice(0, matched + added.length), ...named }, own: [] };
  }
  const before =
    echo === undefined || echo.text === "" ? [] : [{ content: { type: "text" as const, text: echo.text }, ...named }];
  return { echo: undefined, own: [...before, { ...chunk, ...named }] };
}
