import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ts from "typescript";

/** A TypeScript file of a project: its path below the project with forward slashes, and what it imports. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly string[];
}

/** Every TypeScript file of a project, generated ones included. */
export function sourcesOf(directory: string): SourceFile[] {
  return filesBelow(directory)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, imports: importsOf(readFileSync(join(directory, path), "utf8")) }));
}

/** Static, dynamic and type imports, re-exports included. */
export function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** All files of a folder, relative to it, without what is installed or built. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [entry.name];
    if (!entry.isDirectory() || ["node_modules", "dist", ".turbo", ".git"].includes(entry.name)) return [];
    const below = join(directory, entry.name);
    return filesBelow(below).map((path) => relative(directory, join(below, path)).split(sep).join("/"));
  });
}
