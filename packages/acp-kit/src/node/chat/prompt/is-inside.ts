import { isAbsolute, relative, sep } from "node:path";

/** Returns whether a real path is this folder or inside it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
