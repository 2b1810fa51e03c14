/** Matches a lone surrogate, which can't be encoded in UTF-8, and which strict JSON parsers refuse. */
const halves = /\p{Surrogate}/gu;
const REPLACEMENT = "\ufffd";

/** Returns the beginning of a text, at most `max` UTF-16 units, without half a character at its end. */
export function prefixOf(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, isHigh(text.charCodeAt(max - 1)) ? max - 1 : max);
}

/** Returns the end of a text, at most `max` UTF-16 units, without half a character at its beginning. */
export function suffixOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.length - max;
  return text.slice(isLow(text.charCodeAt(start)) ? start + 1 : start);
}

/** Joins pieces of a text so that none ends or begins within a character. A lone half becomes U+FFFD. */
export class WholeCharacters {
  #half = "";

  /** Whether the last piece ended with half a character, which is returned with the next piece. */
  get isWaiting(): boolean {
    return this.#half !== "";
  }

  /** Returns the piece, with the half that the previous piece ended with, and without a half at its own end. */
  add(piece: string): string {
    if (piece === "") return "";
    const text = this.#half + piece;
    const end = isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.#half = text.slice(end);
    return text.slice(0, end).replace(halves, REPLACEMENT);
  }
}

/** Returns whether a text contains half a character. */
export function hasHalf(text: string): boolean {
  return text.search(halves) !== -1;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
