/**
 * Compiles a pattern of one name, with `*` for any characters and `?` for one character. The matcher backtracks only to
 * the last `*`, so its time is at most the product of both lengths.
 */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const elements = [...pattern];
  return (name) => matches(elements, [...name]);
}

function matches(elements: readonly string[], characters: readonly string[]): boolean {
  let at = 0;
  let index = 0;
  let star: { readonly at: number; index: number } | undefined;
  while (index < characters.length) {
    const element = elements[at];
    if (element === "*") {
      star = { at, index };
      at += 1;
    } else if (element === "?" || (element !== undefined && element === characters[index])) {
      at += 1;
      index += 1;
    } else if (star !== undefined) {
      star.index += 1;
      index = star.index;
      at = star.at + 1;
    } else return false;
  }
  return elements.slice(at).every((element) => element === "*");
}
