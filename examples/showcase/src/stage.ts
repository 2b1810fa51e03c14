import type { Checks } from "./checks.js";
import type { Cast } from "./connect.js";
import type { Conversation } from "./conversation.js";

/** The shared state of the showcase. */
export interface Stage extends Cast {
  /**
   * Whether the agent is the everything agent. If so, the showcase checks every event; otherwise, it checks only the
   * rules of the protocol.
   */
  readonly everything: boolean;
  readonly checks: Checks;
  /** The conversation of the live session, to compare with the replayed one. */
  readonly live: Conversation;
  readonly timings: { readonly what: string; readonly ms: number }[];
  /** Chapters in which the agent did not do the expected action. */
  readonly skipped: string[];
}

/** Runs an action and records its duration. */
export async function timed<Result>(stage: Stage, what: string, action: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await action();
  stage.timings.push({ what, ms: performance.now() - started });
  return result;
}
