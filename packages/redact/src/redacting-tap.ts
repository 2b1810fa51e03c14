import type { Tap } from "@acp-kit/jsonrpc";
import { createRedactor, type Redactor } from "./redactor.js";

/** A tap that hides secrets itself: a connection gives it messages as they are, whatever its `tapSecrets`. */
export type RedactingTap = Tap & { readonly redacts: true };

/**
 * A tap that sees each message without its secrets, and without those of all messages before it, wherever they stand. A plain tap sees messages
 * redacted too, by rules that are small enough for every agent and client to carry.
 *
 * @param redactor to share with a recorder or a log, so that they know the same secrets.
 */
export function redactingTap(tap: Tap, redactor: Redactor = createRedactor()): RedactingTap {
  const redacting: Tap = (event) =>
    tap({
      ...event,
      message: event.malformed ? redactor.redactText(String(event.message)) : redactor.redact(event.message),
    });
  return Object.assign(redacting, { redacts: true as const });
}
