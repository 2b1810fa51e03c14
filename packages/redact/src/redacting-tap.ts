import type { Tap } from "@acp-kit/jsonrpc";
import { createRedactor, type Redactor } from "./redactor.js";

/** A tap that redacts secrets itself: a connection passes messages to it unchanged, whatever its `tapSecrets`. */
export type RedactingTap = Tap & { readonly redacts: true };

/**
 * Creates a tap that receives each message without its secrets and without those of all previous messages. A plain tap receives redacted
 * messages, too, but by fewer rules, to keep every agent and client small.
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
