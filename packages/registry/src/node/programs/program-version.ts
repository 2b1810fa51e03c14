import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readBounded } from "../files/read-bounded.js";

/** The maximum size of a manifest, in bytes. Larger manifests are not read. */
const MAX_MANIFEST_BYTES = 1_000_000;
/** The maximum number of programs of a manifest that are compared with the file, each by a system call. */
const MAX_BINS = 100;
/** The maximum number of folders above a program in which the function looks for a manifest. */
const MAX_LEVELS = 8;

/**
 * Returns the version of the npm package that contains a program; `undefined` if no package contains the program. npm
 * installs a program as a link into its package, except on Windows.
 */
export async function programVersion(path: string): Promise<string | undefined> {
  try {
    const file = await realpath(path);
    let folder = dirname(file);
    for (let level = 0; level < MAX_LEVELS; level += 1) {
      const text = await readBounded(join(folder, "package.json"), MAX_MANIFEST_BYTES);
      const manifest =
        text === undefined ? {} : (JSON.parse(text) as { readonly version?: unknown; readonly bin?: unknown });
      if (await isBinOf(manifest.bin, folder, file))
        return typeof manifest.version === "string" ? manifest.version : undefined;
      folder = dirname(folder);
    }
  } catch {
    // A manifest that can't be read is ignored.
  }
  return undefined;
}

/** Returns whether the member `bin` of a manifest contains the path of the file. */
async function isBinOf(bin: unknown, folder: string, file: string): Promise<boolean> {
  const names = typeof bin === "object" && bin !== null ? Object.values(bin) : [bin];
  for (const name of names.slice(0, MAX_BINS)) {
    if (typeof name !== "string") continue;
    const path = await realpath(join(folder, name)).catch(() => undefined);
    if (path === file) return true;
  }
  return false;
}
