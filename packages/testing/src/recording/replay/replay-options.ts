import type { Side } from "../format.js";
import type { Difference } from "./difference.js";
import type { PathMapping } from "./id-map.js";

/** How a recording is replayed. */
export interface ReplayOptions {
  /** Which side is replayed; the live peer is the other. Default `agent`. */
  readonly as?: Side;
  /** The first difference ends the replay: a request is refused with it, and the connection closed. Default `false`: it goes on, and tells at the end. */
  readonly strict?: boolean;
  /**
   * What to do with paths. `map` (default): the working directory of a session stands for the recorded one, wherever it appears. `keep`: paths
   * are texts like any other. A table of folders, what is recorded → what is live, for all others.
   */
  readonly paths?: PathMapping;
  /** Say things with the pauses that there were. Default: at once, when it is their turn. */
  readonly clock?: ReplayClock;
  /**
   * As a client, when all is said and answered: how long what the agent was to tell after that is still waited for, in milliseconds. Default 250.
   */
  readonly lingerMs?: number;
  /** Each difference, when it shows. Those that are missing show at the end. */
  readonly onDifference?: (difference: Difference) => void;
}

/** The named defaults of a replay. */
export const replayDefaults = { lingerMs: 250 } as const;

/** Waits, in whatever time. */
export interface ReplayClock {
  /** Resolves after so many recorded milliseconds. Never rejects. */
  wait(ms: number): Promise<void>;
}

/** What became of a replay. */
export interface ReplayReport {
  /** How the live peer was not as recorded; in order. */
  readonly differences: readonly Difference[];
  /** Messages of the recording that were said again, and how many there are. */
  readonly sent: number;
  readonly recorded: number;
  /** Recorded messages of the other side that the live peer said, too, and how many there are. */
  readonly heard: number;
  readonly expected: number;
  /** How the recorded agent died in the middle of its work, if it did; the replayed one closed the connection at that place. */
  readonly died?: { readonly exitCode: number | null; readonly signal: string | null };
}
