// An agent that persists its sessions.

export type { AgentDefinition } from "@acp-kit/agent"; // re-exported: our signatures mention them
export { type RestoredSession, type WithSessionsOptions, withSessions } from "./with-sessions.js";

// Stores and the data in them.

export type { SessionUpdate } from "@acp-kit/types";
export type { LogEntry, StoredEntry } from "./log-entry.js";
export { type MemoryStoreOptions, memoryStore } from "./memory-store.js";
export type {
  MaybePromise,
  OpenLogOptions,
  OwnedSessions,
  SessionLog,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  StoreLimits,
} from "./session-store.js";

// Errors.

export { LeaseLostError, SessionHeldError, StoreError, type StoreErrorCode } from "./errors.js";

// For authors of stores.

export { cursorOf, placeOf } from "./page-cursor.js";
export { replayOf } from "./replay.js";
export { type SizedEntry, turnsToDrop } from "./turns-to-drop.js";
