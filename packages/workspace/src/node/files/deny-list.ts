/** Whether a path below a root, as its names, is closed: a pattern holds for it, or for a directory above it. */
export type DenyList = (names: readonly string[]) => boolean;

/**
 * Patterns of files that are closed. `*` and `?` stand for characters within a name, `**` for any number of directories; a pattern
 * without a slash holds at any depth. Written here and not taken from a library: what protects files should be read in a minute.
 *
 * @throws {TypeError} for a pattern that could never hold.
 */
export function denyList(patterns: readonly string[]): DenyList {
  const lists = patterns.map(namesOf);
  return (path) => {
    const names = path.map(fold);
    return lists.some((list) => names.some((_, index) => holds(list, names.slice(0, index + 1))));
  };
}

/** How names are compared: some file systems tell `A` from `a`, and composed letters from decomposed ones, others don't. */
export function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function namesOf(pattern: string): string[] {
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length === 0 || names.includes("..")) {
    throw new TypeError(`deny: "${pattern}" is not a pattern of a path below a root`);
  }
  return (pattern.replace(/\/+$/, "").includes("/") ? names : ["**", ...names]).map(fold);
}

function holds(pattern: readonly string[], names: readonly string[]): boolean {
  return match(pattern, names, (each, name) => (each === "**" ? "any" : holdsForName([...each], [...name])));
}

function holdsForName(pattern: readonly string[], name: readonly string[]): boolean {
  return match(pattern, name, (each, character) => (each === "*" ? "any" : each === "?" || each === character));
}

/**
 * Whether `parts` are what `pattern` says, where some elements stand for any number of parts. It goes back to the last such element only,
 * so that no pattern takes more than the product of both lengths.
 */
function match<Part>(
  pattern: readonly Part[],
  parts: readonly Part[],
  compare: (element: Part, part: Part) => boolean | "any",
): boolean {
  let at = 0;
  let retry: { readonly element: number; from: number } | undefined;
  for (let index = 0; index < parts.length; ) {
    const element = pattern[at];
    const result = element === undefined ? false : compare(element, parts[index] as Part);
    if (result === "any") {
      retry = { element: at, from: index };
      at += 1;
    } else if (result) {
      at += 1;
      index += 1;
    } else if (retry !== undefined) {
      retry.from += 1;
      index = retry.from;
      at = retry.element + 1;
    } else return false;
  }
  return pattern.slice(at).every((element) => compare(element, "" as Part) === "any");
}
