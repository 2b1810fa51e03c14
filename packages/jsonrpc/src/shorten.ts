import { prefixOf } from "./whole-characters.js";

const MAX_CHARACTERS = 256;

/**
 * Returns the beginning of a text, for an error or a log. It has at most `maxCharacters` UTF-16 units (default 256);
 * the last of them is an ellipsis if the text was cut. The result does not keep the whole text in memory.
 */
export function shorten(text: string, maxCharacters: number = MAX_CHARACTERS): string {
  if (text.length <= maxCharacters) return text;
  return `${prefixOf(text, maxCharacters - 1)
    .split("")
    .join("")}…`;
}
