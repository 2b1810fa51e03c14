import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow as allFilesBelow } from "@acp-kit/configs/files";
import ts from "typescript-api";

/** A TypeScript file of a project: its path below the project with forward slashes, and its imports. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly string[];
}

/** Returns every TypeScript file of a project, including generated ones. */
export function sourcesOf(directory: string): SourceFile[] {
  return filesBelow(directory)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, imports: importsOf(readFileSync(join(directory, path), "utf8")) }));
}

/** Returns static, dynamic and type imports, including re-exports. */
export function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

const installedOrBuilt = ["node_modules", "dist", ".turbo", ".git"];

/**
 * Returns all files of a folder, sorted, relative to it, with forward slashes. By default without installed and built
 * files.
 */
export function filesBelow(directory: string, without: readonly string[] = installedOrBuilt): string[] {
  return allFilesBelow(directory, without);
}
