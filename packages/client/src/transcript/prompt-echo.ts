import type { IncomingContentChunk } from "@acp-kit/types";
import { joinedText } from "./message-draft.js";
import type { MessageEntry } from "./transcript-entry.js";
import type { TranscriptTurn } from "./transcript-snapshot.js";

type Echo = NonNullable<TranscriptTurn["echo"]>;

/**
 * Decides whether a user message chunk after a prompt is part of the prompt's echo (some agents send the prompt back as
 * updates) or of a separate message.
 *
 * The chunks are an echo as long as all of them together are a prefix of the prompt. As soon as they differ from the
 * prompt, all of these chunks belong to a separate message, and `own` contains all of them.
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
  const added = joinedText([content]);
  const isInPrompt = content.type === "text" || prompt.content.some(({ type }) => type === content.type);
  // Comparing the whole echo each time would be slow, because each character of an echo can arrive as a chunk of its
  // own.
  if (isInPrompt && prompt.text.startsWith(added, matched)) {
    return { echo: { text: prompt.text.slice(0, matched + added.length), ...named }, own: [] };
  }
  const before =
    echo === undefined || echo.text === "" ? [] : [{ content: { type: "text" as const, text: echo.text }, ...named }];
  return { echo: undefined, own: [...before, { ...chunk, ...named }] };
}
