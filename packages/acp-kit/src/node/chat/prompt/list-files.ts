import { readdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Candidate } from "../input/complete.js";
import { isInside } from "./is-inside.js";

/** Folders with files that users rarely attach, listed only after the first character of their name. */
const dull: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * Lists the files and folders in `folder` whose relative path begins with a prefix. Folders come first. Hidden files
 * are listed only if the user has typed their dot.
 */
export function listFiles(folder: string, prefix: string, max: number = 50): Candidate[] {
  const slash = prefix.lastIndexOf("/") + 1;
  const [parent, begun] = [prefix.slice(0, slash), prefix.slice(slash).toLowerCase()];
  try {
    const place = realpathSync(resolve(folder, parent));
    if (!isInside(place, realpathSync(folder))) return [];
    const found = readdirSync(place, { withFileTypes: true })
      .filter(({ name }) => name.toLowerCase().startsWith(begun))
      .filter(({ name }) => begun !== "" || !(name.startsWith(".") || dull.has(name)))
      // Control characters and quotes in a name would be lost in a prompt.
      .filter(({ name }) => !/[\p{Cc}"]/u.test(name));
    const candidates = found.map((entry): Candidate & { folder: boolean } => {
      const folder = entry.isDirectory();
      return { text: parent + entry.name + (folder ? "/" : ""), folder, ...(folder && { open: true as const }) };
    });
    candidates.sort((a, b) => Number(b.folder) - Number(a.folder) || (a.text < b.text ? -1 : 1));
    return candidates.slice(0, max).map(({ folder: _, ...candidate }) => candidate);
  } catch {
    return []; // the folder does not exist or can't be read
  }
}
