/** Returns the length of a text in UTF-8 bytes, without encoding the text. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7ff) bytes += code >= 0xd800 && code < 0xe000 ? 1 : 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}
