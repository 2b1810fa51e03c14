import { agentValidators, clientValidators } from "@acp-kit/schema/validate";
import type { OutgoingCheck } from "./peer.js";

// For `checkOutgoing`: checks outgoing messages with the JSON Schema. A separate entry point, because the validators are larger than
// everything else: they come with `@acp-kit/schema`, an optional peer dependency.

/** Checks the messages that an agent of stable protocol version 1 sends. It needs the package `@acp-kit/schema`. */
export const checkV1Agent: OutgoingCheck = (method, part, value) => check(agentValidators, method, part, value);

/** Checks the messages that a client of stable protocol version 1 sends. It needs the package `@acp-kit/schema`. */
export const checkV1Client: OutgoingCheck = (method, part, value) => check(clientValidators, method, part, value);

type Validators = typeof agentValidators | typeof clientValidators;

/** Methods that the protocol doesn't have are not checked. A result that is `undefined` is checked as `{}`, which is what is sent. */
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
