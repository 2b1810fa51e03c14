import { isAbsolute, relative, sep } from "node:path";

/** Whether a real path is this folder or below it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
