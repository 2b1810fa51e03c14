import { storable } from "./storable-text.js";

const MAX_LENGTH = 80;

/** Returns a session's title: the beginning of a prompt's first line, or an empty text. */
export function titleFrom(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf("\n");
  // A prompt may be megabytes long, so only its beginning is read: two UTF-16 units for each character of the title.
  const line = trimmed.slice(0, end === -1 ? 2 * MAX_LENGTH : Math.min(end, 2 * MAX_LENGTH)).trimEnd();
  const characters = [...storable(line)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join("")}…` : characters.join("");
}
