import type { Json } from "../wire/values.js";
import type { Prompts } from "./prompt-purposes.js";

/** Options that describe the agent under test. */
export interface AgentTestOptions {
  /** The prompts that make the agent perform the actions that scenarios need. */
  readonly prompts: Prompts;
  /** The id of the login to use, one of the agent's `authMethods`. @defaultValue no login */
  readonly authMethod?: string;
  /** The limit for the start: from the start of the process to the response to `initialize`. @defaultValue 30000 */
  readonly initializeTimeoutMs?: number;
  /** The limit for an ordinary request. @defaultValue 20000 */
  readonly requestTimeoutMs?: number;
  /** The limit for a turn. @defaultValue 60000 */
  readonly turnTimeoutMs?: number;
  /**
   * How long the kit continues to wait for a response when the limit of the request is over. If the response arrives in
   * this time, the agent is too slow, which breaks no rule. Otherwise, the response is missing. @defaultValue the same
   * time as the limit
   */
  readonly lateResponseTimeoutMs?: number;
  /**
   * The minimum time that the agent has to end a turn after the kit stopped the turn (by a cancel, for example), in
   * milliseconds. The kit uses it if, so far, turns with the same prompt have ended only without a stop. @defaultValue
   * 60000
   */
  readonly stopTimeoutMs?: number;
  /** How long to wait for messages that must not come, in milliseconds. @defaultValue 150 */
  readonly quietMs?: number;
  /** How long a process may live after the end of its input. @defaultValue 10000 */
  readonly exitGraceMs?: number;
  /** Sent as `_meta` of `initialize`, for agents that need it. */
  readonly initializeMeta?: Json;
}

/** The default of each limit, in milliseconds. */
export const agentTimes = {
  initializeTimeoutMs: 30_000,
  requestTimeoutMs: 20_000,
  turnTimeoutMs: 60_000,
  quietMs: 150,
  exitGraceMs: 10_000,
} as const;

/** The limits of one connection. */
export interface Limits {
  readonly initializeTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly turnTimeoutMs: number;
  readonly lateResponseTimeoutMs?: number;
}
