import { InvalidOptionError } from "./invalid-option-error.js";

/** The kind of each option of a function, by the option's name. A `!` marks options that are required. */
export type OptionKinds<Name extends string = string> = Readonly<
  Record<Name, "function" | "function!" | "value" | "value!">
>;

/**
 * Checks the names and kinds of options and handlers. An unknown member is an error if its name is similar to the name
 * of an absent option. Other unknown members are ignored, because the caller may be written for a newer version with
 * more options. In an instance of a class, unknown members are never errors.
 *
 * @param caller the name of the function that takes the options, for the message.
 * @param path the path of the checked object inside the options of `caller`, such as `files.`; `""` for the options
 * themselves.
 * @throws {InvalidOptionError} for the first member that is misspelt, missing or of the wrong kind.
 */
export function checkOptions(caller: string, options: unknown, kinds: OptionKinds, path = ""): void {
  const fail = (option: string, problem: string, suggestion?: string): never => {
    throw new InvalidOptionError(caller, option, problem, suggestion);
  };
  if (typeof options !== "object" || options === null) {
    fail(path.slice(0, -1) || "options", `must be an object, not ${options === null ? options : typeof options}`);
  }
  const given = options as Readonly<Record<string, unknown>>;
  const names = Object.keys(kinds);
  for (const name of isPlain(given) ? Object.keys(given) : []) {
    if (kinds[name] !== undefined) continue;
    const isFunction = typeof given[name] === "function";
    const absent = names.filter((known) => given[known] == null && kinds[known]?.startsWith("f") === isFunction);
    const meant = nearest(name, absent);
    if (meant !== undefined) fail(path + name, "is unknown", meant);
  }
  for (const name of names) {
    const kind = kinds[name] as string;
    const value = given[name];
    if (value == null) {
      if (kind.endsWith("!")) fail(path + name, "is missing");
    } else if (kind.startsWith("f") && typeof value !== "function")
      fail(path + name, `must be a function, not ${typeof value}`);
  }
}

/**
 * Returns whether an object is plain, such as an object literal, and not an instance of a class. Works for objects of
 * other realms, such as iframes.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the known name that is most similar to `name`, if {@link editsBetween} returns at most {@link MAX_EDITS} for the two. */
function nearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = MAX_EDITS + 1;
  for (const known of names) {
    const edits = editsBetween(name.toLowerCase(), known.toLowerCase(), fewest);
    if (edits < fewest) [best, fewest] = [known, edits];
  }
  return best;
}

const MAX_EDITS = 2;

/**
 * Estimates how many letters of two names differ: removes their common beginning and their common end, and returns the
 * length of the longer rest. The result is 1 for `onUpdate` and `onUpdte`. If the lengths of the names differ by `limit`
 * or more, returns `limit`. The function takes linear time, and finds most typing errors.
 */
function editsBetween(a: string, b: string, limit: number): number {
  const longest = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let start = 0;
  while (start < longest && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < longest - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return longest - start - end;
}
