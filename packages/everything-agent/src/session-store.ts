import type { ContentBlock, SessionUpdate } from "@acp-kit/types";
import type { Settings } from "./settings.js";

/** An event in a session. A session is its log: its state, its history and its place in lists are derived from it. */
export type EverythingLogEntry =
  | {
      readonly type: "session";
      readonly at: string;
      readonly cwd: string;
      readonly additionalDirectories: readonly string[];
    }
  | { readonly type: "prompt"; readonly at: string; readonly prompt: readonly ContentBlock[] }
  | { readonly type: "update"; readonly update: SessionUpdate }
  /** The last prompt was refused: it and later entries don't belong to the conversation any more. */
  | { readonly type: "refused" }
  | { readonly type: "title"; readonly at: string; readonly title: string | null }
  | { readonly type: "settings"; readonly settings: Settings };

/**
 * Stores sessions.
 *
 * Synchronous by choice: an update is stored before the client can request it.
 */
export interface EverythingStore {
  append(sessionId: string, entry: EverythingLogEntry): void;
  /** The log of a session; empty when there is none. */
  read(sessionId: string): readonly EverythingLogEntry[];
  sessionIds(): readonly string[];
  /** Deleting a missing session succeeds. */
  delete(sessionId: string): void;
}

/** Creates a store whose sessions last as long as the agent. */
export function memoryEverythingStore(): EverythingStore {
  const logs = new Map<string, EverythingLogEntry[]>();
  return {
    append(sessionId, entry) {
      const log = logs.get(sessionId);
      if (log === undefined) logs.set(sessionId, [entry]);
      else log.push(entry);
    },
    read: (sessionId) => [...(logs.get(sessionId) ?? [])],
    sessionIds: () => [...logs.keys()],
    delete(sessionId) {
      logs.delete(sessionId);
    },
  };
}
