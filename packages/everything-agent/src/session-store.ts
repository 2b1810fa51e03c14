import type { ContentBlock, SessionUpdate } from "@acp-kit/types";
import type { Settings } from "./settings.js";

/**
 * An event in the log of a session. The state, the history and the list entry of a session are derived from its log.
 */
export type EverythingLogEntry =
  | {
      readonly type: "session";
      readonly at: string;
      readonly cwd: string;
      readonly additionalDirectories: readonly string[];
    }
  | { readonly type: "prompt"; readonly at: string; readonly prompt: readonly ContentBlock[] }
  | { readonly type: "update"; readonly update: SessionUpdate }
  /** The last prompt was refused. The prompt and all later entries no longer belong to the conversation. */
  | { readonly type: "refused" }
  | { readonly type: "title"; readonly at: string; readonly title: string | null }
  | { readonly type: "settings"; readonly settings: Settings };

/**
 * Stores sessions.
 *
 * The methods are synchronous, so that an update is stored before a client can load the session.
 */
export interface EverythingStore {
  append(sessionId: string, entry: EverythingLogEntry): void;
  /** Returns the log of a session, which is empty for an unknown session. */
  read(sessionId: string): readonly EverythingLogEntry[];
  sessionIds(): readonly string[];
  /** Deletes a session. Deleting an unknown session succeeds. */
  delete(sessionId: string): void;
}

/** Creates a store that keeps sessions as long as the agent runs. */
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
