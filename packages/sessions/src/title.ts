import { storable } from "./storable-text.js";

const MAX_LENGTH = 80;

/**
 * Returns the title that a prompt gives a session: the prefix of its first line, cut between characters. The title is
 * empty if the prompt contains no text.
 */
export function titleFrom(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf("\n");
  // A prompt may be megabytes long, so only its beginning is read: two UTF-16 units for each character of the title.
  const line = trimmed.slice(0, end === -1 ? 2 * MAX_LENGTH : Math.min(end, 2 * MAX_LENGTH)).trimEnd();
  const characters = [...storable(line)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join("")}…` : characters.join("");
}
