import { readdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Candidate } from "../input/complete.js";
import { isInside } from "./is-inside.js";

/** Folders that users rarely attach files from. Listed only once the user types the start of their name. */
const dull: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Lists files and folders below a folder whose path begins with a prefix: folders first, hidden ones only after a typed dot. */
export function listFiles(folder: string, prefix: string, max: number = 50): Candidate[] {
  const slash = prefix.lastIndexOf("/") + 1;
  const [parent, begun] = [prefix.slice(0, slash), prefix.slice(slash).toLowerCase()];
  try {
    const place = realpathSync(resolve(folder, parent));
    if (!isInside(place, realpathSync(folder))) return [];
    const found = readdirSync(place, { withFileTypes: true })
      .filter(({ name }) => name.toLowerCase().startsWith(begun))
      .filter(({ name }) => begun !== "" || !(name.startsWith(".") || dull.has(name)))
      // Names can contain any character, and these would be lost in a prompt.
      .filter(({ name }) => !/[\p{Cc}"]/u.test(name));
    const candidates = found.map((entry): Candidate & { folder: boolean } => {
      const folder = entry.isDirectory();
      return { text: parent + entry.name + (folder ? "/" : ""), folder, ...(folder && { open: true as const }) };
    });
    candidates.sort((a, b) => Number(b.folder) - Number(a.folder) || (a.text < b.text ? -1 : 1));
    return candidates.slice(0, max).map(({ folder: _, ...candidate }) => candidate);
  } catch {
    return []; // no such folder, or it can't be read
  }
}
