import type { Json } from "../wire/values.js";
import type { Call } from "./wire-event.js";

/** Responds to a request with an error object. Thrown by a function in {@link AgentSetup.handlers}. */
export class ErrorResponse extends Error {
  override readonly name = "ErrorResponse";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Options that make the scripted agent differ from a plain one. */
export interface AgentSetup {
  /** The whole result of `initialize`. */
  readonly initialized?: Json;
  /** `agentCapabilities`; none by default. */
  readonly capabilities?: Json;
  readonly authMethods?: readonly unknown[];
  /** Whether `session/new` fails until the client has logged in. */
  readonly loginRequired?: boolean;
  /** The id of the n-th session, from 1. */
  readonly sessionId?: (n: number) => string;
  /** Additional members of the results of `session/new`, `session/load` and `session/resume`. */
  readonly session?: Json;
  /** Functions that replace the agent's default results, by method. A function may throw {@link ErrorResponse}. */
  readonly handlers?: Readonly<Record<string, (call: Call, agent: AgentNotifier) => unknown>>;
}

/** Sends messages before the result that a function in {@link AgentSetup.handlers} returns. */
export interface AgentNotifier {
  notify(method: string, params: Json): void;
}
