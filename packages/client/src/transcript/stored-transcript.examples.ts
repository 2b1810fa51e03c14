// #region store
import { createTranscript, type TranscriptEvent } from "@acp-kit/client";

/** A conversation that arrives some other way than over a connection, goes on from what was stored, and is stored again. */
export function goOn(stored: string, events: readonly TranscriptEvent[]): string {
  const transcript = createTranscript({ from: JSON.parse(stored) });
  for (const event of events) transcript.apply(event);
  return JSON.stringify(transcript);
}
// #endregion store
