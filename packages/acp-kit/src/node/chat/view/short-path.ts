import { relative, sep } from "node:path";

/** Returns a path relative to the working directory if it is inside, otherwise the unchanged path. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short === ".." || short.startsWith(`..${sep}`) || short.length >= path.length ? path : short;
}

/** Removes the working directory from the paths in a title. */
export function shortTitle(title: string, cwd: string): string {
  return cwd.length > 1 ? title.replaceAll(cwd.endsWith(sep) ? cwd : cwd + sep, "") : title;
}
