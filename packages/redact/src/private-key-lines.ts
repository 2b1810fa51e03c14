import { endOfPrivateKey, endsInPrivateKey } from "./secret-text.js";

/** The maximum number of characters after the line with the beginning of a private key. Without it, a key that has no end would hide all later lines. */
const MAX_KEY = 32_768;

/** Returns a function that is called with each line of a stream, and returns how many characters at the start of the line belong to a private key of the lines before. */
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
