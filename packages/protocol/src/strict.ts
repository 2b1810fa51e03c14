import { agentValidators, clientValidators } from "@acp-kit/schema/validate";
import type { OutgoingCheck } from "./peer.js";

// Functions for `checkOutgoing`, which check messages with the JSON Schema before they are sent. They have a separate
// entry point, because the validators are larger than all other code of this package. They are in `@acp-kit/schema`, an
// optional peer dependency.

/**
 * Checks the messages that an agent of stable protocol version 1 sends. This function needs the package
 * `@acp-kit/schema`.
 */
export const checkV1Agent: OutgoingCheck = (method, part, value) => check(agentValidators, method, part, value);

/**
 * Checks the messages that a client of stable protocol version 1 sends. This function needs the package
 * `@acp-kit/schema`.
 */
export const checkV1Client: OutgoingCheck = (method, part, value) => check(clientValidators, method, part, value);

type Validators = typeof agentValidators | typeof clientValidators;

/**
 * Checks a value with the validator of its method. Methods that the protocol doesn't define are not checked.
 * `undefined` is checked as `{}`, because `{}` is sent for it.
 */
function check(
  validators: Validators,
  method: string,
  part: "params" | "result",
  value: unknown,
): ReturnType<OutgoingCheck> {
  const table = part === "params" ? validators.params : validators.results;
  return (table as Readonly<Record<string, OutgoingValidator>>)[method]?.(value ?? {}) ?? [];
}

type OutgoingValidator = (value: unknown) => ReturnType<OutgoingCheck>;
