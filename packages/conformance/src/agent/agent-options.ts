import type { Json } from "../wire/values.js";
import type { Prompts } from "./prompt-purposes.js";

/** What a test of an agent needs to know about it. */
export interface AgentTestOptions {
  /** The prompts that make the agent do what a scenario needs. */
  readonly prompts: Prompts;
  /** The login to use, one of the agent's `authMethods`. Without it none is tried. */
  readonly authMethod?: string;
  /** The limit for the start: from the start of the process to the answer to `initialize`. @defaultValue 30000 */
  readonly startMs?: number;
  /** The limit for an ordinary request. @defaultValue 20000 */
  readonly answerMs?: number;
  /** The limit for a turn. @defaultValue 60000 */
  readonly turnMs?: number;
  /**
   * How much longer than its limit an answer is waited for. One that comes in this time was too slow for the limits, and breaks no
   * rule; one that does not come is missing. @defaultValue the limit once more
   */
  readonly graceMs?: number;
  /** How long to listen for what must not come. @defaultValue 150 */
  readonly quietMs?: number;
  /** How long a process may live after the end of its input. @defaultValue 10000 */
  readonly exitMs?: number;
  /** Sent as `_meta` of `initialize`, for agents that need it. */
  readonly initializeMeta?: Json;
}

/** The default of each time, in milliseconds. */
export const agentTimes = {
  startMs: 30_000,
  answerMs: 20_000,
  turnMs: 60_000,
  quietMs: 150,
  exitMs: 10_000,
} as const;

/** The limits of one connection. */
export interface Limits {
  readonly startMs: number;
  readonly answerMs: number;
  readonly turnMs: number;
  readonly graceMs?: number;
}
