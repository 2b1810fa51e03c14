import { storable } from "./storable-text.js";

const MAX_LENGTH = 80;

/** The title that a prompt gives a session: the beginning of its first line, cut between characters. Empty when it has none. */
export function titleFrom(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf("\n");
  // A prompt may be megabytes long: no more of it is looked at than a title can hold, twice because a character may take two units.
  const line = trimmed.slice(0, end === -1 ? 2 * MAX_LENGTH : Math.min(end, 2 * MAX_LENGTH)).trimEnd();
  const characters = [...storable(line)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join("")}…` : characters.join("");
}
