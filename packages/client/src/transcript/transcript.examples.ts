// #region draw
import type { Session, TranscriptEntry } from "@acp-kit/client";

/** Returns the text that a plain client shows for an entry. */
export function line(entry: TranscriptEntry): string {
  switch (entry.type) {
    case "user_message":
    case "agent_message":
    case "thought":
      return entry.text;
    case "tool_call":
      return `${entry.title}: ${entry.unfinished ? "stopped" : entry.status}`;
    case "plan":
      return entry.entries.map(({ status, content }) => `${status}: ${content}`).join("\n");
    case "notice":
      return `${entry.severity}: ${entry.title}`;
    case "compaction":
      return `The conversation was summarised: ${entry.status}`;
    case "unknown":
      return `(something newer: ${entry.update.sessionUpdate})`;
  }
}

/** Calls `draw` whenever a session has changed, once for all changes that arrive together. */
export function drawSession(session: Session, draw: (lines: readonly string[]) => void): () => void {
  const { transcript } = session;
  return transcript.subscribe(() => draw(transcript.snapshot.entries.map(line)));
}
// #endregion draw
