/**
 * Matches the characters for which Git quotes a path: control characters, quotes, backslashes, and all that is not
 * ASCII.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Git quotes control characters
const unusual = /[\u0000-\u001f\u007f"\\]|[^\u0000-\u007f]/;

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\u000b": "v",
  "\f": "f",
  "\r": "r",
  '"': '"',
  "\\": "\\",
};

/**
 * Writes a path as Git writes it in a patch: unusual characters are escaped, as bytes in octal if they have no letter.
 *
 * @see https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath
 */
export function quoteGitPath(path: string): string {
  if (!unusual.test(path)) return path;
  let quoted = "";
  for (const char of path) {
    const letter = escapes[char];
    if (letter !== undefined) quoted += `\\${letter}`;
    else if (unusual.test(char))
      for (const byte of new TextEncoder().encode(char)) quoted += `\\${byte.toString(8).padStart(3, "0")}`;
    else quoted += char;
  }
  return `"${quoted}"`;
}

/** A function and not a constant, because a bundler keeps a constant that it can't prove unused. */
function unescaped(letter: string): string {
  return Object.keys(escapes).find((char) => escapes[char] === letter) ?? letter;
}

/** Reads a path of a patch. */
export function unquoteGitPath(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  const bytes: number[] = [];
  for (const [, octal, letter, plain = ""] of text.slice(1, -1).matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(letter === undefined ? plain : unescaped(letter)));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
