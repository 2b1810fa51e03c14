import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Where a path leads: what exists of it, without any link, and the names below that don't exist. */
export interface RealLocation {
  readonly existing: string;
  readonly missing: readonly string[];
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * Follows every link of an absolute, normalized path. A link that leads to nothing is followed too: what is created there
 * is created where it points to.
 *
 * @throws what the system says when it can't be told, also for links in a circle.
 */
export async function realLocation(path: string, links = 0): Promise<RealLocation> {
  try {
    return { existing: await realpath(path), missing: [] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if ((code !== "ENOENT" && code !== "ENOTDIR") || parent === path) throw error;
    const { existing, missing } = await realLocation(parent, links);
    const name = basename(path);
    const target = missing.length === 0 ? await linkTarget(join(existing, name)) : undefined;
    if (target === undefined) return { existing, missing: [...missing, name] };
    if (links >= MAX_LINKS) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    return realLocation(resolve(existing, target), links + 1);
  }
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
