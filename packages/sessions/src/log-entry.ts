import type { ContentBlock, SessionUpdate, StopReason } from "@acp-kit/types";

/** One thing that happened in a session. A session is its log: what is replayed, listed and restored follows from it. */
export type LogEntry =
  /** A turn begins: the user said this. */
  | { readonly type: "prompt"; readonly prompt: readonly ContentBlock[] }
  /** The agent told the client this. */
  | { readonly type: "update"; readonly update: SessionUpdate }
  /** The turn has ended, or has failed. A log that lacks it was cut off by a crash. */
  | { readonly type: "end"; readonly stopReason: StopReason | "error" };

/** An entry with its place in the log. */
export interface StoredEntry {
  /** Counts up within the session; there may be gaps. */
  readonly seq: number;
  /** When it was written: ISO 8601. */
  readonly at: string;
  readonly entry: LogEntry;
}
