import { at, isObject, type JsonObject } from "./json.js";

/** The facts about the client under test from a plain conversation. The kit can't test features that the client doesn't use. */
export interface ClientFacts {
  /** The params of its `initialize`, if it sent one. */
  readonly initialize: JsonObject | undefined;
  /** It opened a session. */
  readonly opensSession: boolean;
  /** It sent a prompt by itself, with only its command. */
  readonly prompts: boolean;
  /** It ended by itself after the turn, with this code. */
  readonly exitCode: number | undefined;
  /** The duration of its slowest step (start, open a session, prompt, exit), in milliseconds; 0 while it is unknown. */
  readonly slowestStepMs: number;
  /** Why the client sent no more, for display. */
  readonly silence: string;
}

/** Returns whether a client advertises a capability, by its path inside `clientCapabilities`. */
export function clientHas(facts: ClientFacts, path: string): boolean {
  const value = at(facts.initialize, "clientCapabilities", ...path.split("."));
  return value === true || isObject(value);
}
