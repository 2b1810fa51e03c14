import { agentValidators, clientValidators } from "@acp-kit/schema/validate";
import type { Issue } from "@acp-kit/types/decode";
import { checkWith } from "./check-with.js";

// Functions for `checkOutgoing`, which check messages with the JSON Schema before they are sent. They have a separate
// entry point, because the validators are larger than all other code of this package. They are in `@acp-kit/schema`, an
// optional peer dependency.

/**
 * Checks the messages that an agent of stable protocol version 1 sends. This function needs the package
 * `@acp-kit/schema`.
 */
export function checkV1Agent(method: string, part: "params" | "result", value: unknown): readonly Issue[] {
  return checkWith(agentValidators, method, part, value);
}

/**
 * Checks the messages that a client of stable protocol version 1 sends. This function needs the package
 * `@acp-kit/schema`.
 */
export function checkV1Client(method: string, part: "params" | "result", value: unknown): readonly Issue[] {
  return checkWith(clientValidators, method, part, value);
}
