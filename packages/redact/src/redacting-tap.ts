import type { Tap } from "@acp-kit/jsonrpc";
import { createRedactor, type Redactor } from "./redactor.js";

/** A tap that redacts secrets itself. A connection passes messages to it unchanged, whatever its option `tapSecrets` says. */
export type RedactingTap = Tap & { readonly redacts: true };

/**
 * Creates a tap that passes each message to another tap without secrets. It also hides the secrets of earlier messages.
 * A connection redacts messages for a plain tap, too, but by fewer rules, so that agents and clients stay small.
 *
 * @param redactor the redactor to use. Share it with a recorder or a log, so that all of them hide the same secrets.
 */
export function redactingTap(tap: Tap, redactor: Redactor = createRedactor()): RedactingTap {
  const redacting: Tap = (event) =>
    tap({
      ...event,
      message: event.malformed ? redactor.redactText(String(event.message)) : redactor.redact(event.message),
    });
  return Object.assign(redacting, { redacts: true as const });
}
