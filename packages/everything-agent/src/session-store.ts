import type { ContentBlock, SessionUpdate } from "@acp-kit/types";
import type { Settings } from "./settings.js";

/** What happened in a session, in order. A session is its log: what it is in now, its history and its place in lists follow from it. */
export type EverythingLogEntry =
  | {
      readonly type: "session";
      readonly at: string;
      readonly cwd: string;
      readonly additionalDirectories: readonly string[];
    }
  | { readonly type: "prompt"; readonly at: string; readonly prompt: readonly ContentBlock[] }
  | { readonly type: "update"; readonly update: SessionUpdate }
  /** The last prompt was refused: it and what came after it are no part of the conversation any more. */
  | { readonly type: "refused" }
  | { readonly type: "title"; readonly at: string; readonly title: string | null }
  | { readonly type: "settings"; readonly settings: Settings };

/**
 * Where sessions are kept.
 *
 * Synchronous by choice: what an agent has told its client is in the store before the client can ask for it.
 */
export interface EverythingStore {
  append(sessionId: string, entry: EverythingLogEntry): void;
  /** The log of a session; empty when there is none. */
  read(sessionId: string): readonly EverythingLogEntry[];
  sessionIds(): readonly string[];
  /** Deleting what isn't there succeeds. */
  delete(sessionId: string): void;
}

/** Sessions that last as long as the agent. */
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
