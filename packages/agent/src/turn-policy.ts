import type { PromptResponse, StopReason } from "@acp-kit/types";

/**
 * The result of a prompt handler: the stop reason of the turn. `undefined` means `end_turn`. A reason of your own
 * begins with an underscore; it needs the option `versions`, and is `end_turn` on connections of version 1.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing
export type PromptResult = StopReason | `_${string}` | PromptResponse | void;

/**
 * The behaviour of the agent for a prompt that arrives while a turn of the same session runs. `queue`: the agent runs
 * the prompt after the turn. `reject`: the agent responds with the error `-32600`. `merge`: the agent passes the prompt
 * to `onPrompt` of the running turn, and responds to both prompts at the end of the turn.
 */
export type ConcurrentPrompts = "queue" | "reject" | "merge";

/** The options that apply to the turns of a session. */
export interface TurnPolicy {
  readonly concurrentPrompts: ConcurrentPrompts;
  /**
   * The time in milliseconds for which a cancelled turn may continue. After this time, the agent responds to the prompt
   * with `cancelled`, even if the handler still runs.
   */
  readonly cancelGraceMs: number;
  /** Whether a turn continues when its connection ends. */
  readonly keepTurns: boolean;
}
