import type { Tap } from "@acp-kit/jsonrpc";
import { createRedactor, type Redactor } from "./redactor.js";

/** A tap that redacts secrets itself, and gets messages unchanged for any value of `tapSecrets`. */
export type RedactingTap = Tap & { readonly redacts: true };

/**
 * Creates a tap that passes each message to another tap without secrets. The tap also hides secrets that occurred in
 * earlier messages. A connection redacts messages for any other tap, too, but by fewer rules, so that the code of
 * agents and clients stays small.
 *
 * @param redactor the redactor that hides the secrets. Share it with a recorder or a log, so that all of them hide the
 * same secrets.
 */
export function redactingTap(tap: Tap, redactor: Redactor = createRedactor()): RedactingTap {
  const redact = redactor.messages();
  const redacting: Tap = (event) =>
    tap({
      ...event,
      message: event.malformed ? redactor.redactText(String(event.message)) : redact(event.message),
    });
  return Object.assign(redacting, { redacts: true as const });
}
