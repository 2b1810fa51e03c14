// #region store
import { createTranscript, type TranscriptEvent } from "@acp-kit/client";

/**
 * Restores a stored conversation, applies events that the application received in its own way, and stores the
 * conversation again.
 */
export function continueConversation(stored: string, events: readonly TranscriptEvent[]): string {
  const transcript = createTranscript({ from: JSON.parse(stored) });
  for (const event of events) transcript.apply(event);
  return JSON.stringify(transcript);
}
// #endregion store
