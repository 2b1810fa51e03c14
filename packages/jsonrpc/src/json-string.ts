const BACKSLASH = 0x5c;

/** Returns the index of the closing quote of the string at `start`, or the text's length if it is cut off. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote; // the quote is not escaped: an even number of backslashes precedes it
  }
  return text.length;
}
