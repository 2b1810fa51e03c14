import type { Checks } from "./checks.js";
import type { Cast } from "./connect.js";
import type { Conversation } from "./conversation.js";

/** What everything happens on. */
export interface Stage extends Cast {
  /** It is the everything agent: all that it does is known in advance, and checked. Otherwise only what the protocol promises is. */
  readonly everything: boolean;
  readonly checks: Checks;
  /** What was said and done while it happened. */
  readonly live: Conversation;
  readonly timings: { readonly what: string; readonly ms: number }[];
  /** Chapters that the agent had nothing for. */
  readonly skipped: string[];
}

/** Does something and writes down how long it took. */
export async function timed<Result>(stage: Stage, what: string, action: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await action();
  stage.timings.push({ what, ms: performance.now() - started });
  return result;
}
