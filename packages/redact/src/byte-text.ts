// The functions here represent bytes as `atob` does: as a string with one character from 0 to 255 for each byte.

/** Matches characters in UTF-8 that are not in ASCII (the group), or a byte that belongs to no character. */
const outsideAscii =
  /((?:[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}){1,1000})|[\x80-\xff]/g;

/** Matches the beginning of a character at the end of bytes. */
const unfinished = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;

/** Matches characters that are not in ASCII, or half of a surrogate pair that stands for a byte (the group). */
const ofText = /([\udc80-\udcff])|[\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]{1,1000}|[\ud800-\udfff]/gu;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Returns the text that bytes encode in UTF-8. Half of a surrogate pair, which valid text never contains alone, stands
 * for each byte that belongs to no character. Therefore {@link bytesOf} can return the same bytes.
 */
export function textOfBytes(bytes: string): string {
  return bytes.replace(outsideAscii, (found: string, characters?: string) =>
    characters === undefined
      ? String.fromCharCode(0xdc00 + found.charCodeAt(0))
      : decoder.decode(Uint8Array.from(characters, (byte) => byte.charCodeAt(0))),
  );
}

/** Returns the bytes of a text from {@link textOfBytes}. */
export function bytesOf(text: string): string {
  return text.replace(ofText, (found: string, byte?: string) =>
    byte === undefined
      ? String.fromCharCode(...encoder.encode(found))
      : String.fromCharCode(byte.charCodeAt(0) - 0xdc00),
  );
}

/** Returns the bytes at the end that are the beginning of a character. */
export function unfinishedCharacter(bytes: string): string {
  return unfinished.exec(bytes.slice(-3))?.[0] ?? "";
}
