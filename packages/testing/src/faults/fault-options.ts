import type { Clock } from "../clock.js";
import type { Side } from "../wire-message.js";
import type { InjectedFault } from "./fault-plan.js";

/** Options of `faulty` and `faultyBytes`. */
export interface FaultOptions {
  /** The seed of all random choices. The same seed, plan and messages give the same faults. The default is 1. */
  readonly seed?: number | string;
  /** The role of the peer behind the transport, which sends the messages that arrive. The default is `agent`. */
  readonly peer?: Side;
  /** The clock that the faults `delay` and `slow` use. The default is the real time. */
  readonly clock?: Clock;
  /** Called for every fault when it happens. */
  readonly onFault?: (fault: InjectedFault) => void;
}

/** The faults that have happened so far. */
export interface FaultReport {
  readonly seed: number | string;
  readonly injected: readonly InjectedFault[];
  /** Describes the seed, the plan and every fault, for the message of a failed test. */
  describe(): string;
}
