import type { ContentBlock, SessionUpdate, StopReason } from "@acp-kit/types";

/** One event in a session's log, from which replays, lists and restored states are derived. */
export type LogEntry =
  /**
   * A turn begins with this prompt. If `merged` is true, the prompt became part of the running turn instead.
   * `messageId` is the id of its message on a connection of version 2; without it, the id follows from the number of
   * the entry.
   */
  | {
      readonly type: "prompt";
      readonly prompt: readonly ContentBlock[];
      readonly merged?: true;
      readonly messageId?: string;
    }
  /** The agent sent this update to the client. */
  | { readonly type: "update"; readonly update: SessionUpdate }
  /** The turn has ended, or has failed. If a crash interrupted the turn, the log has no such entry. */
  | { readonly type: "end"; readonly stopReason: StopReason | "error" };

/** An entry of a log with its position. */
export interface StoredEntry {
  /** The number of the entry, which increases within the session; there may be gaps. */
  readonly seq: number;
  /** The time at which the entry was written, in ISO 8601. */
  readonly at: string;
  readonly entry: LogEntry;
}

/** Returns whether a turn begins with the entry. */
export function beginsTurn(entry: LogEntry): boolean {
  return entry.type === "prompt" && entry.merged !== true;
}
