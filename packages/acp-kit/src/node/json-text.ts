import { withinDepth } from "@acp-kit/protocol";

/** The maximum nesting of printed values. `JSON.stringify` recurses, so deeper values could overflow the stack. */
export const maxJsonDepth = 200;

/** Formats any value from an agent as one line of JSON. Values deeper than {@link maxJsonDepth} are replaced by a note. */
export function jsonText(value: unknown): string {
  return JSON.stringify(withinDepth(value, maxJsonDepth, `… nested deeper than ${maxJsonDepth} levels`));
}
