import { shorten } from "./shorten.js";

/** The characters that a terminal or a log may not show as they are: controls and marks of direction. */
const invisible = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Returns a text for a message to people: in quotes, with escapes, and cut after `maxCharacters` UTF-16 units. */
export function quote(text: string, maxCharacters: number): string {
  return JSON.stringify(shorten(text, maxCharacters)).replace(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
