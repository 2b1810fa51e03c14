import type { IncomingContentChunk } from "@acp-kit/types";
import { textOf } from "./message-draft.js";
import type { MessageEntry } from "./transcript-entry.js";
import type { TranscriptTurn } from "./transcript-snapshot.js";

type Echo = NonNullable<TranscriptTurn["echo"]>;

/**
 * What a user chunk right behind a prompt is: more of the prompt's echo, or something that the user said.
 *
 * It is an echo for as long as all of it, in however many chunks, is how the prompt begins. When it goes on differently it was a message from the
 * start: `own` is then the whole of it.
 */
export function heardEcho(
  echo: Echo | undefined,
  prompt: MessageEntry,
  chunk: IncomingContentChunk,
): { readonly echo: Echo | undefined; readonly own: readonly IncomingContentChunk[] } {
  const { content } = chunk;
  const messageId = chunk.messageId ?? echo?.messageId;
  const named = messageId !== undefined && { messageId };
  if (echo !== undefined && messageId !== echo.messageId) return { echo, own: [chunk] };
  const heard = echo?.text.length ?? 0;
  const more = textOf([content]);
  const isInPrompt = content.type === "text" || prompt.content.some(({ type }) => type === content.type);
  // Only what is new is compared: an echo may come in as many pieces as it has characters.
  if (isInPrompt && prompt.text.startsWith(more, heard)) {
    return { echo: { text: prompt.text.slice(0, heard + more.length), ...named }, own: [] };
  }
  const before =
    echo === undefined || echo.text === "" ? [] : [{ content: { type: "text" as const, text: echo.text }, ...named }];
  return { echo: undefined, own: [...before, { ...chunk, ...named }] };
}
