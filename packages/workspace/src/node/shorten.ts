const MAX_CHARACTERS = 256;

/** Returns the prefix of a text that a peer has sent, for messages and logs: it may be as long as a message, and the copy doesn't keep it in memory. */
export function shorten(text: string, maxCharacters: number = MAX_CHARACTERS): string {
  if (text.length <= maxCharacters) return text;
  return `${Buffer.from(text.slice(0, maxCharacters - 1)).toString()}…`;
}
