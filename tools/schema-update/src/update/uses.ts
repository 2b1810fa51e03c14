import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { outputDirectories } from "@acp-kit/codegen/output-paths";
import type { SourceDiff } from "../diff-sources.js";

/** A place in hand-written code that mentions a removed name. */
export interface Use {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The new name; `undefined` if there is no successor. */
  readonly now: string | undefined;
}

/** The folders with hand-written code that uses generated code. */
const folders = ["packages", "examples", "tests", "bench", "tools/codegen/src"];

/** Finds hand-written sources that mention a removed export or method. */
export function usesOfGone(root: string, diff: SourceDiff): readonly Use[] {
  return findUses(root, goneNames(diff));
}

/**
 * Finds the places in hand-written sources that mention a name.
 *
 * @param names - the new name, if any, for each name in the form in which sources contain it (`ToolKind`, `.newSession`, `"session/new"`).
 */
export function findUses(root: string, names: ReadonlyMap<string, string | undefined>): readonly Use[] {
  if (names.size === 0) return [];
  return folders.flatMap((folder) => sources(root, folder)).flatMap((file) => usesIn(root, file, names));
}

/** Matches names in sources: a type's name, a member such as `.newSession`, a method in quotes. */
function goneNames({ schemas }: SourceDiff): ReadonlyMap<string, string | undefined> {
  const gone = new Map<string, string | undefined>();
  for (const { api, methods } of schemas) {
    if (api.estimated !== undefined) continue;
    for (const { before, after } of api.renamed) gone.set(asWritten(before), asWritten(after));
    for (const name of api.removed) gone.set(asWritten(name), undefined);
    for (const { name, change } of methods) if (change === "removed") gone.set(`"${name}"`, undefined);
  }
  return gone;
}

/** Returns the form in which sources mention an export: `methods.newSession` → `.newSession`. */
export function asWritten(name: string): string {
  return name.includes(".") && !name.includes("CapabilityTree") ? name.slice(name.indexOf(".")) : name;
}

function sources(root: string, folder: string): readonly string[] {
  const directory = join(root, folder);
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      const skipped = entry.name === "node_modules" || entry.name === "dist" || outputDirectories.includes(path);
      return skipped ? [] : sources(root, path);
    }
    return entry.isFile() && /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function usesIn(root: string, file: string, gone: ReadonlyMap<string, string | undefined>): readonly Use[] {
  const found: Use[] = [];
  for (const [index, text] of readFileSync(join(root, file), "utf8").split("\n").entries()) {
    const words = new Set(text.match(/"[\w$/]+"|\.\w+|\w+/g));
    for (const name of words) if (gone.has(name)) found.push({ file, line: index + 1, name, now: gone.get(name) });
  }
  return found;
}

/** Formats one line for each place. */
export function useLines(uses: readonly Use[], most = 60): readonly string[] {
  const lines = uses
    .slice(0, most)
    .map(
      ({ file, line, name, now }) =>
        `- ${file}:${line}: ${name} ${now === undefined ? "was removed" : `is ${now} now`}`,
    );
  return uses.length > most ? [...lines, `- … and ${uses.length - most} more places`] : lines;
}
