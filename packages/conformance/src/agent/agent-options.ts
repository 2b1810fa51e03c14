import type { Json } from "../wire/values.js";
import type { Prompts } from "./prompt-purposes.js";

/** What a test of an agent needs to know of it. */
export interface AgentTestOptions {
  /** What to say to make it do something. */
  readonly prompts: Prompts;
  /** The login to use, one of the agent's `authMethods`. Without it none is tried. */
  readonly authMethod?: string;
  /** How long an ordinary request may take, and the start. @defaultValue 20000 */
  readonly answerMs?: number;
  /** How long a turn may take. @defaultValue 40000 */
  readonly turnMs?: number;
  /** How long to listen for what must not come. @defaultValue 150 */
  readonly quietMs?: number;
  /** How long a process may live after the end of its input. @defaultValue 5000 */
  readonly exitMs?: number;
  /** Sent as `_meta` of `initialize`, for agents that need it. */
  readonly initializeMeta?: Json;
}

/** The default of each time. */
export const agentTimes = { answerMs: 20_000, turnMs: 40_000, quietMs: 150, exitMs: 5_000 } as const;
