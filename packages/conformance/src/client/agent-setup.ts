import type { JsonObject } from "./json.js";
import type { Call } from "./wire-event.js";

/** Answers a request with an error object. Thrown by {@link AgentSetup.answer}. */
export class ErrorAnswer extends Error {
  override readonly name = "ErrorAnswer";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** How the agent that we play differs from a plain one. */
export interface AgentSetup {
  /** The whole result of `initialize`. */
  readonly initialized?: JsonObject;
  /** `agentCapabilities`; none by default. */
  readonly capabilities?: JsonObject;
  readonly authMethods?: readonly unknown[];
  /** `session/new` needs a login. */
  readonly loginRequired?: boolean;
  /** The id of the n-th session, from 1. */
  readonly sessionId?: (n: number) => string;
  /** More members of the answers to `session/new`, `session/load` and `session/resume`. */
  readonly session?: JsonObject;
  /** Answers to methods that the agent would answer otherwise; may throw {@link ErrorAnswer}. */
  readonly answer?: Readonly<Record<string, (call: Call, agent: AgentVoice) => unknown>>;
}

/** What an answer may do besides answering. */
export interface AgentVoice {
  notify(method: string, params: JsonObject): void;
}
