import { nameMatcher } from "./name-matcher.js";

/** The compiled patterns of denied files, for paths below a root as lists of names: `["src", "a.txt"]`. */
export interface DenyList {
  readonly isEmpty: boolean;
  /** Whether a pattern matches the path, or a directory above it. */
  matches(names: readonly string[]): boolean;
}

/**
 * Compiles patterns of denied files. `*` and `?` match characters within a name, `**` any number of directories; a
 * pattern without a slash matches at any depth. No library is used, because code that protects files should be short
 * and easy to review.
 *
 * @throws {TypeError} for a pattern that could never match.
 */
export function denyList(patterns: readonly string[]): DenyList {
  const compiled = patterns.map(compile);
  return {
    isEmpty: compiled.length === 0,
    matches: (names) => {
      const folded = names.map(fold);
      return compiled.some((pattern) => matchesPrefix(pattern, folded));
    },
  };
}

/** Code points that HFS+ ignores in names: `.g\u200cit` opens `.git` there. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Normalises a name: some file systems ignore case, and whether letters are composed or decomposed. */
export function fold(name: string): string {
  if (/^[ -~]*$/.test(name)) return name.toLowerCase();
  return name.replace(IGNORED, "").normalize("NFC").toLowerCase();
}

type Element = "**" | ((name: string) => boolean);

function compile(pattern: string): readonly Element[] {
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length === 0 || names.includes("..")) {
    throw new TypeError(`deny: "${pattern}" can't match any path below a root folder`);
  }
  const isAnchored = /\/[^/]/.test(pattern);
  return (isAnchored ? names : ["**", ...names]).map((name) => (name === "**" ? name : nameMatcher(fold(name))));
}

/**
 * Returns whether the pattern matches the whole path or one of the directories above it. For each name, it keeps the
 * set of all elements of the pattern that can match next, so its time is at most the product of both lengths.
 */
function matchesPrefix(elements: readonly Element[], names: readonly string[]): boolean {
  let positions = reachable(elements, [0]);
  for (const name of names) {
    if (positions.has(elements.length)) return true;
    const next: number[] = [];
    for (const position of positions) {
      const element = elements[position];
      if (element === "**") next.push(position);
      else if (element?.(name)) next.push(position + 1);
    }
    if (next.length === 0) return false;
    positions = reachable(elements, next);
  }
  return names.length > 0 && positions.has(elements.length);
}

/**
 * Returns the indices of the pattern's elements that can match the next name. `**` also matches zero directories, so
 * for an index of `**` the result also contains the index after it.
 */
function reachable(elements: readonly Element[], from: readonly number[]): Set<number> {
  const positions = new Set(from);
  for (const position of positions) if (elements[position] === "**") positions.add(position + 1);
  return positions;
}
