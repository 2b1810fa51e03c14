import { relative, sep } from "node:path";

/** A path as a person would name it: from the working directory if it is in there. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short === ".." || short.startsWith(`..${sep}`) || short.length >= path.length ? path : short;
}

/** A title without the working directory in the paths that it names. */
export function shortTitle(title: string, cwd: string): string {
  return cwd.length > 1 ? title.replaceAll(cwd.endsWith(sep) ? cwd : cwd + sep, "") : title;
}
