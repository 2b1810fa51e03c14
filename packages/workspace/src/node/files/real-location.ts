import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { join, parse, resolve, sep } from "node:path";
import { exceededPathLimit } from "./path-limits.js";

/** The real location of a path: its longest existing prefix without links, and the names below that don't exist. */
export interface RealLocation {
  readonly existing: string;
  readonly missing: readonly string[];
}

/** The maximum number of links to follow in a path. Linux has the same limit. */
const MAX_LINKS = 40;

/**
 * Follows every link of an absolute, normalised path. Links to missing targets are followed, too, because creating a
 * file through the link creates the target.
 *
 * @throws the system's error when the path can't be resolved, also for links in a circle.
 */
export async function realLocation(path: string): Promise<RealLocation> {
  let rest = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    if (exceededPathLimit(rest, process.platform) !== undefined) throw failure("ENAMETOOLONG", "the path is too long");
    const { existing, missing } = await longestExisting(rest);
    const [name, ...below] = missing;
    const target = name === undefined ? undefined : await linkTarget(join(existing, name));
    if (target === undefined) return { existing, missing };
    rest = join(resolve(existing, target), ...below);
  }
  throw failure("ELOOP", "too many links");
}

/**
 * Finds the longest existing prefix of a path and resolves its links. It tries the whole path and its parent first,
 * which is nearly always enough. Then it bisects the names with `stat`, because `realpath` makes a system call for each
 * name.
 */
async function longestExisting(path: string): Promise<RealLocation> {
  const { root } = parse(path);
  const names = path
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== "");
  const prefix = (length: number): string => root + names.slice(0, length).join(sep);
  let missing = names.length + 1; // a prefix of this many names doesn't exist
  for (let length = names.length; length >= Math.max(names.length - 1, 0); length--) {
    const existing = await realPathOf(prefix(length));
    if (existing !== undefined) return { existing, missing: names.slice(length) };
    missing = length;
  }
  let exists = 0; // the root of the file system exists
  while (exists + 1 < missing) {
    const middle = Math.floor((exists + missing) / 2);
    if (await isThere(prefix(middle))) exists = middle;
    else missing = middle;
  }
  return { existing: await realpath(prefix(exists)), missing: names.slice(exists) };
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
