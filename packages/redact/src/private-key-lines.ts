import { endOfPrivateKey, endsInPrivateKey } from "./secret-text.js";

/** The maximum length after a key's first line. A key without end would hide all later lines. */
export const MAX_KEY = 32_768;

/** Matches a character that occurs in no private key. A text that only mentions a key's first line has one soon. */
const foreign = /[^A-Za-z0-9+/=\s\\:,-]/;

/**
 * Returns how many characters at the start of a chunk belong to a private key that began in an earlier chunk.
 *
 * @param tail the end of the key so far.
 */
export function privateKeyInChunk(tail: string, chunk: string): number {
  const end = endOfPrivateKey(tail + chunk);
  if (end !== undefined) return Math.max(0, end - tail.length);
  const other = chunk.search(foreign);
  return other === -1 ? chunk.length : other;
}

/**
 * Returns a function that is called with each line of a stream, and returns how many characters at the start of the
 * line belong to a private key of the lines before.
 */
export function privateKeyLines(): (line: string) => number {
  let left = 0;
  return (line) => {
    let end = 0;
    if (left > 0) {
      const found = endOfPrivateKey(line);
      end = found ?? line.length;
      left = found === undefined ? left - line.length - 1 : 0;
    }
    if (endsInPrivateKey(line.slice(end))) left = MAX_KEY;
    return end;
  };
}
