import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow as allFilesBelow } from "@acp-kit/configs/files";
import ts from "typescript";

/** A TypeScript file of a project: its path below the project with forward slashes, and what it imports. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly string[];
}

/** Every TypeScript file of a project, generated ones included. */
export function sourcesOf(directory: string): SourceFile[] {
  return filesBelow(directory)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, imports: importsOf(readFileSync(join(directory, path), "utf8")) }));
}

/** Static, dynamic and type imports, re-exports included. */
export function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

const installedOrBuilt = ["node_modules", "dist", ".turbo", ".git"];

/** All files of a folder, sorted, relative to it, with forward slashes; by default none that is installed or built. */
export function filesBelow(directory: string, without: readonly string[] = installedOrBuilt): string[] {
  return allFilesBelow(directory, without);
}
