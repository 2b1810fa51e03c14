import { relative, sep } from "node:path";

/** A path as a person would name it: from the working directory if it is in there. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short === ".." || short.startsWith(`..${sep}`) || short.length >= path.length ? path : short;
}
