import type { JsonObject } from "./json.js";
import type { Call } from "./wire-event.js";

/** Responds to a request with an error object. Thrown by {@link AgentSetup.answer}. */
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

/** How the scripted agent differs from a plain one. */
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
  /** More members of the results of `session/new`, `session/load` and `session/resume`. */
  readonly session?: JsonObject;
  /** Results that replace the agent's default ones, by method; may throw {@link ErrorAnswer}. */
  readonly answer?: Readonly<Record<string, (call: Call, agent: AgentVoice) => unknown>>;
}

/** The actions of {@link AgentSetup.answer} besides its result. */
export interface AgentVoice {
  notify(method: string, params: JsonObject): void;
}
