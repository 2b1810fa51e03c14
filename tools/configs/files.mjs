// This file does not use `readdirSync` with its option `recursive`, because some versions of Node follow links there,
// even in a cycle.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Returns all files of a folder, sorted, relative to it, with forward slashes. It follows no links. */
export function filesBelow(directory, without = []) {
  const visit = (folder) =>
    readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return without.includes(entry.name) ? [] : visit(path);
      return entry.isFile() ? [path] : [];
    });
  return visit("").sort();
}
