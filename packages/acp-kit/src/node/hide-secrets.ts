import type { Host } from "./host.js";

/** A text without the secrets that this command line has seen; as it is when the user wants to see them. */
export function hideInText(text: string, { redactor }: Pick<Host, "redactor">): string {
  return redactor?.redactText(text) ?? text;
}

/** The same for a value that is printed as JSON. */
export function hideInValue<Value>(value: Value, { redactor }: Pick<Host, "redactor">): Value {
  return redactor === undefined ? value : (redactor.redact(value) as Value);
}

/** The same for the lines of one stream, such as an agent's standard error: a secret that a line end cuts in two is hidden in both lines. */
export function hideInLines({ redactor }: Pick<Host, "redactor">): (line: string) => string {
  return redactor?.lines() ?? ((line) => line);
}
