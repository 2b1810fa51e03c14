import type { Recording, RecordingEntry } from "./format.js";

/**
 * Splits a recording into its connections: an agent that was restarted, or a client that reconnected, begins a new
 * connection. Most recordings have only one connection. Entries before the first message of a connection, such as a
 * failed start of the agent, belong to that connection.
 */
export function runsOf(recording: Recording): readonly Recording[] {
  const runs: RecordingEntry[][] = [];
  let current: RecordingEntry[] = [];
  let initialized = false;
  const next = (): void => {
    if (current.length > 0) runs.push(current);
    current = [];
    initialized = false;
  };
  for (const entry of recording.entries) {
    if (entry.kind === "process" && entry.event === "started" && current.some(({ kind }) => kind === "message")) next();
    if (isInitialize(entry)) {
      if (initialized) next();
      initialized = true;
    }
    current.push(entry);
  }
  next();
  return runs.map((entries) => ({ ...recording, entries }));
}

function isInitialize(entry: RecordingEntry): boolean {
  if (entry.kind !== "message" || entry.from !== "client") return false;
  return (entry.message as { method?: unknown } | null)?.method === "initialize";
}
