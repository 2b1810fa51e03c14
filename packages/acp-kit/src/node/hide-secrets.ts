import type { Host } from "./host.js";

/** Returns a text with known secrets redacted. With `--show-secrets`, returns the text unchanged. */
export function hideInText(text: string, { redactor }: Pick<Host, "redactor">): string {
  return redactor?.redactText(text) ?? text;
}

/** Returns a value with known secrets redacted, for output as JSON; unchanged with `--show-secrets`. */
export function hideInValue<Value>(value: Value, { redactor }: Pick<Host, "redactor">): Value {
  return redactor === undefined ? value : (redactor.redact(value) as Value);
}

/** Returns a function that redacts the updates of a session. A secret that is cut by chunks is redacted, too. */
export function hideInUpdates<Update>(
  { redactor }: Pick<Host, "redactor">,
  sessionId: string,
): (update: Update) => Update {
  if (redactor === undefined) return (update) => update;
  const hide = redactor.messages();
  return (update) => (hide({ params: { sessionId, update } }) as { params: { update: Update } }).params.update;
}

/** Returns a function that redacts the lines of a stream. Both parts of a secret split by a line end are redacted. */
export function hideInLines({ redactor }: Pick<Host, "redactor">): (line: string) => string {
  return redactor?.lines() ?? ((line) => line);
}
