import { withinDepth } from "@acp-kit/protocol";

/** How deep values are printed. Deeper than that nobody reads, and `JSON.stringify` recurses until the stack is full. */
export const maxJsonDepth = 200;

/** A value as one line of JSON, whatever an agent has put into it: what lies deeper than {@link maxJsonDepth} is replaced by a note. */
export function jsonText(value: unknown): string {
  return JSON.stringify(withinDepth(value, maxJsonDepth, `… nested deeper than ${maxJsonDepth} levels`));
}
