import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { DenyList } from "./deny-list.js";

/** Identifies a file, whatever names it has. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Maximum number of entries searched for one file. */
const MAX_ENTRIES = 100_000;

/**
 * Whether a file has another name (a hard link) that is denied, in its own directory or in one above it, up to the root. That
 * finds a link to `.env` of its folder or of its project. Other directories are not searched; with more than {@link
 * MAX_ENTRIES} entries the result is `true`.
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
      if (seen > MAX_ENTRIES) return true; // can't be determined, so it is refused
      if (!deny.matches([...above, name])) continue;
      const entry = await lstat(join(root, ...above, name), { bigint: true }).catch(() => undefined);
      if (entry?.dev === dev && entry.ino === ino) return true;
    }
  }
  return false;
}
