import { isObject, type Json, member } from "../wire/values.js";

/** The facts about the client under test from a plain conversation. Features that it doesn't use can't be tested. */
export interface ClientFacts {
  /** The params of the client's `initialize`, if it sent one. */
  readonly initialize: Json | undefined;
  /** The client opened a session. */
  readonly opensSession: boolean;
  /** The client sent a prompt by itself, without any input but its command. */
  readonly prompts: boolean;
  /** The code with which the client exited by itself after the turn; `undefined` if it kept running. */
  readonly exitCode: number | undefined;
  /** The milliseconds of the client's slowest step (start, open a session, prompt, exit); 0 while unknown. */
  readonly slowestStepMs: number;
  /** Why the client sent no further messages, for display. */
  readonly silence: string;
}

/** Returns whether a client requests version 2: its `initialize` has the version and the members of version 2. */
export function speaksVersion2({ initialize }: ClientFacts): boolean {
  return Number(initialize?.protocolVersion) >= 2 && isObject(initialize?.info);
}

/** Returns whether a client advertises a capability, by its path inside `clientCapabilities`. */
export function clientHas(facts: ClientFacts, path: string): boolean {
  const value = member(facts.initialize, "clientCapabilities", ...path.split("."));
  return value === true || isObject(value);
}
