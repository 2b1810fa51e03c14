import type { Side } from "../format.js";
import type { Difference } from "./difference.js";
import type { PathMapping } from "./id-map.js";

/** Options of a replay. */
export interface ReplayOptions {
  /** The replayed side; the live peer is the other. Default `agent`. */
  readonly as?: Side;
  /** The first difference ends the replay: a request is refused with it, and the connection closed. Default `false`: it continues, and reports at the end. */
  readonly strict?: boolean;
  /**
   * How to treat paths. `map` (default): the working directory of a session corresponds to the recorded one, wherever it
   * appears. `keep`: paths are ordinary texts. A table of folders, recorded → live, for all others.
   */
  readonly paths?: PathMapping;
  /** Keep the recorded pauses. Default: send each message as soon as it is its turn. */
  readonly clock?: ReplayClock;
  /** As a client, when everything is sent and responded to: how long to wait for further recorded updates of the agent, in milliseconds. Default 250. */
  readonly lingerMs?: number;
  /** Called for each difference when it is found. Missing messages are reported at the end. */
  readonly onDifference?: (difference: Difference) => void;
}

/** The named defaults of a replay. */
export const replayDefaults = { lingerMs: 250 } as const;

/** Waits in real or simulated time. */
export interface ReplayClock {
  /** Resolves after this many recorded milliseconds. Never rejects. */
  wait(ms: number): Promise<void>;
}

/** The result of a replay. */
export interface ReplayReport {
  /** The differences between the live peer and the recording, in order. */
  readonly differences: readonly Difference[];
  /** Recorded messages that were sent again, and their total. */
  readonly sent: number;
  readonly recorded: number;
  /** Recorded messages of the other side that the live peer also sent, and their total. */
  readonly received: number;
  readonly expected: number;
  /** How the recorded agent died in the middle of its work, if it did; the replay closed the connection at that point. */
  readonly died?: { readonly exitCode: number | null; readonly signal: string | null };
}
