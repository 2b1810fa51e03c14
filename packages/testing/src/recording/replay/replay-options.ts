import type { Side } from "../format.js";
import type { Difference } from "./difference.js";
import type { PathMapping } from "./id-map.js";

/** Options of {@link createReplayer}. */
export interface ReplayOptions {
  /** The role that is replayed; the live peer has the other role. The default is `agent`. */
  readonly as?: Side;
  /**
   * Whether the first difference ends the replay: a differing request gets an error, and the connection is closed. The
   * default is `false`: the replay continues and reports all differences at the end.
   */
  readonly strict?: boolean;
  /**
   * How the replay treats paths. `map` (the default): wherever a recorded message contains the working
   * directory of its session, the replay replaces that directory with the live working directory. `keep`: paths are
   * compared like other texts. An object, such as `{ "/recorded": "/live" }`, maps recorded folders to live folders.
   */
  readonly paths?: PathMapping;
  /** The clock of the recorded pauses. By default, each message is sent as soon as the dialogue allows it. */
  readonly clock?: ReplayClock;
  /** Called for each difference when it is found. Missing messages are reported at the end of the replay. */
  readonly onDifference?: (difference: Difference) => void;
}

/** The clock of a replay, with real or simulated time. */
export interface ReplayClock {
  /** Waits for a pause that took `ms` milliseconds in the recording. Never rejects. */
  wait(ms: number): Promise<void>;
}

/** The result of a replay, with all differences. */
export interface ReplayReport {
  /** The differences between the live peer and the recording, in order. */
  readonly differences: readonly Difference[];
  /** The number of messages that the replay has sent; `recorded` is the number of all recorded messages of its role. */
  readonly sent: number;
  readonly recorded: number;
  /** How many messages of the other role arrived again; `expected` is how many the recording contains. */
  readonly received: number;
  readonly expected: number;
  /** The exit of the recorded agent with open requests. The replay closes the connection at that point. */
  readonly died?: { readonly exitCode: number | null; readonly signal: string | null };
}
