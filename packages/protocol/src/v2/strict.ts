import { agentValidators, clientValidators } from "@acp-kit/schema/v2/validate";
import type { Issue } from "@acp-kit/types/decode";
import { checkWith } from "../check-with.js";

// Functions for `checkOutgoing`, as those of `../strict.ts`, in an entry of their own: the validators are large.

/** Checks the messages that an agent of protocol version 2 sends. This function needs the package `@acp-kit/schema`. */
export function checkV2Agent(method: string, part: "params" | "result", value: unknown): readonly Issue[] {
  return checkWith(agentValidators, method, part, value);
}

/** Checks the messages that a client of protocol version 2 sends. This function needs the package `@acp-kit/schema`. */
export function checkV2Client(method: string, part: "params" | "result", value: unknown): readonly Issue[] {
  return checkWith(clientValidators, method, part, value);
}
