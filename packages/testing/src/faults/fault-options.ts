import type { Clock } from "../clock.js";
import type { Side } from "../wire-message.js";
import type { InjectedFault } from "./fault-plan.js";

/** Options of fault injection. */
export interface FaultOptions {
  /** Seeds all random choices. The same seed, plan and messages produce the same faults. Default 1. */
  readonly seed?: number | string;
  /** The side behind the transport: messages that arrive come from it. Default `agent`. */
  readonly peer?: Side;
  /** The clock of `delay` and `slow`. Default: real time. */
  readonly clock?: Clock;
  /** Called for every fault when it happens. */
  readonly onFault?: (fault: InjectedFault) => void;
}

/** The faults injected so far. */
export interface FaultReport {
  readonly seed: number | string;
  readonly injected: readonly InjectedFault[];
  /** Describes the seed, the plan and every fault, for the message of a failed test. */
  describe(): string;
}
