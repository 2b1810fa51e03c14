import type { Host } from "./host.js";

/** Returns a text with known secrets redacted. With `--show-secrets`, returns the text unchanged. */
export function hideInText(text: string, { redactor }: Pick<Host, "redactor">): string {
  return redactor?.redactText(text) ?? text;
}

/** Like {@link hideInText}, for a value that is printed as JSON. */
export function hideInValue<Value>(value: Value, { redactor }: Pick<Host, "redactor">): Value {
  return redactor === undefined ? value : (redactor.redact(value) as Value);
}

/** Like {@link hideInText}, for the lines of one stream, such as an agent's standard error: a secret split by a line end is redacted in both lines. */
export function hideInLines({ redactor }: Pick<Host, "redactor">): (line: string) => string {
  return redactor?.lines() ?? ((line) => line);
}
