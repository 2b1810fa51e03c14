import { withinDepth } from "@acp-kit/protocol/internal";

/** The maximum nesting of printed values. `JSON.stringify` recurses, so deeper values could overflow the stack. */
export const maxJsonDepth = 200;

/**
 * Formats any value from an agent as one line of JSON. Values deeper than {@link maxJsonDepth} are replaced by a note.
 * The line contains no control characters: JSON does not escape those from U+007F on, and a terminal may execute them.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(withinDepth(value, maxJsonDepth, `… nested deeper than ${maxJsonDepth} levels`));
  return text.replace(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
