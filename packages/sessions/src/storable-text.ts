/** Matches a half of a surrogate pair without the other half, which can't be encoded in UTF-8. */
const loneSurrogates = /\p{Surrogate}/gu;

/**
 * Returns whether a store can keep a string unchanged and find it again. Databases store text as UTF-8, in which
 * `"\ud800"` and `"\ufffd"` become the same bytes, and some databases end a text at its first NUL. Two different ids
 * could therefore become equal.
 */
export function isStorable(text: string): boolean {
  return text.search(loneSurrogates) === -1 && !text.includes("\0");
}

/** Returns a text for readers, such as a title, with all parts replaced that {@link isStorable} refuses. */
export function storable(text: string): string {
  return text.replace(loneSurrogates, "\ufffd").replaceAll("\0", "\ufffd");
}

/** @throws {TypeError} for texts that {@link isStorable} refuses. */
export function assertStorable(texts: {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}): void {
  for (const [name, text] of Object.entries(texts)) {
    if (![text].flat().every(isStorable)) throw new TypeError(refusal(name));
  }
}

/** Returns the name of an owner. @throws {TypeError} for texts that {@link isStorable} refuses. */
export function assertOwner(owner: string): string {
  if (!isStorable(owner)) throw new TypeError(refusal("owner"));
  return owner;
}

const refusal = (name: string): string => `${name} must be well-formed Unicode without a NUL`;

/** Returns the number of bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // The two halves of a character make four bytes together; a lone half is written as U+FFFD, three bytes.
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
