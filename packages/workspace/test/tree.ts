import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns every path below a directory, relative to it. It does not follow links, as `readdirSync` with `recursive`
 * does on Node 24.
 */
export function pathsBelow(directory: string): { path: string; isFile: boolean }[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const below = entry.isDirectory() ? pathsBelow(join(directory, entry.name)) : [];
    const own = { path: entry.name, isFile: entry.isFile() };
    return [own, ...below.map(({ path, isFile }) => ({ path: join(entry.name, path), isFile }))];
  });
}
