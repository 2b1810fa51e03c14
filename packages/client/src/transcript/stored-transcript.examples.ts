// #region store
import { createTranscript, type TranscriptEvent } from "@acp-kit/client";

/** Continues a stored conversation with events that arrive in another way than over a connection, and stores it again. */
export function continueConversation(stored: string, events: readonly TranscriptEvent[]): string {
  const transcript = createTranscript({ from: JSON.parse(stored) });
  for (const event of events) transcript.apply(event);
  return JSON.stringify(transcript);
}
// #endregion store
