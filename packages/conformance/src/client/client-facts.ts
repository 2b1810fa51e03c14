import { at, isObject, type JsonObject } from "./json.js";

/** What a plain conversation has shown about the client under test. What it doesn't do can't be tried. */
export interface ClientFacts {
  /** The params of its `initialize`, when it came that far. */
  readonly initialize: JsonObject | undefined;
  /** It opened a session. */
  readonly opensSession: boolean;
  /** It sent a prompt without being asked more than its command says. */
  readonly prompts: boolean;
  /** It ended by itself after the turn, with this code. */
  readonly exitCode: number | undefined;
  /** Why nothing more came, in words. */
  readonly silence: string;
}

/** Whether a client advertises a capability, by its path inside `clientCapabilities`. */
export function clientHas(facts: ClientFacts, path: string): boolean {
  const value = at(facts.initialize, "clientCapabilities", ...path.split("."));
  return value === true || isObject(value);
}
