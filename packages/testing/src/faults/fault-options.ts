import type { Clock } from "../clock.js";
import type { Side } from "../wire-message.js";
import type { InjectedFault } from "./fault-plan.js";

/** How faults are injected. */
export interface FaultOptions {
  /** Decides everything that is left to chance. The same seed, plan and messages bring the same faults. Default 1. */
  readonly seed?: number | string;
  /** Who is behind the transport: what arrives from it comes from there. Default `agent`. */
  readonly peer?: Side;
  /** What `delay` and `slow` wait by. Default: real time. */
  readonly clock?: Clock;
  /** Hears of every fault the moment it happens. */
  readonly onFault?: (fault: InjectedFault) => void;
}

/** What was injected so far. */
export interface FaultReport {
  readonly seed: number | string;
  readonly injected: readonly InjectedFault[];
  /** The seed, the plan and every fault, in words: for the message of a test that failed. */
  describe(): string;
}
