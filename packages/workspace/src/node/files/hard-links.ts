import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { DenyList } from "./deny-list.js";

/** The identity of a file, which is the same for all its names. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Maximum number of entries searched for one file. */
const MAX_ENTRIES = 100_000;

/**
 * Returns whether a file has a denied name (a hard link) in its directory or in a directory above it, up to the root.
 * For example, this finds a hard link to the file `.env` of the same folder or of the project. Other directories are
 * not searched. If these directories have more than {@link MAX_ENTRIES} entries, the result is `true`.
 */
export async function hasDeniedName(
  { dev, ino }: FileIdentity,
  root: string,
  directory: readonly string[],
  deny: DenyList,
): Promise<boolean> {
  let seen = 0;
  for (let depth = directory.length; depth >= 0; depth--) {
    const above = directory.slice(0, depth);
    for await (const { name } of await opendir(join(root, ...above), { bufferSize: 256 })) {
      seen += 1;
      if (seen > MAX_ENTRIES) return true; // too many entries to search, so the file is refused
      if (!deny.matches([...above, name])) continue;
      const entry = await lstat(join(root, ...above, name), { bigint: true }).catch(() => undefined);
      if (entry?.dev === dev && entry.ino === ino) return true;
    }
  }
  return false;
}
