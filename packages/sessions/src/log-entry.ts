import type { ContentBlock, SessionUpdate, StopReason } from "@acp-kit/types";

/** One event in a session. A session is its log: replaying, listing and restoring are derived from it. */
export type LogEntry =
  /** A turn begins with this prompt of the user. */
  | { readonly type: "prompt"; readonly prompt: readonly ContentBlock[] }
  /** The agent sent this update to the client. */
  | { readonly type: "update"; readonly update: SessionUpdate }
  /** The turn has ended, or has failed. It is missing when a crash interrupted the turn. */
  | { readonly type: "end"; readonly stopReason: StopReason | "error" };

/** An entry with its position in the log. */
export interface StoredEntry {
  /** Counts up within the session; there may be gaps. */
  readonly seq: number;
  /** When it was written: ISO 8601. */
  readonly at: string;
  readonly entry: LogEntry;
}
