/**
 * Removes line ends at the end of a text. The regular expression `/\n+$/` would need quadratic time: it tries each line
 * end of a long run that is not at the end.
 */
export function withoutLineEnds(text: string): string {
  return text.slice(0, endWithout(text, "\n"));
}

/** Removes empty lines before a text and white space after it. */
export function trimBlock(text: string): string {
  let start = 0;
  while (text[start] === "\n") start += 1;
  return text.slice(start).trimEnd();
}

/** Returns the index after the last character that is not one of these characters. */
export function endWithout(text: string, characters: string): number {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end -= 1;
  return end;
}
