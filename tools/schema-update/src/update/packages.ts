import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "@acp-kit/configs/files";
import { type PackageExports, readExports, reexportsFrom } from "./reexports.js";

/** A package of the workspace, with the facts that a changeset needs. */
export interface WorkspacePackage {
  readonly name: string;
  readonly version: string;
  /** The schemas whose generated code the package imports: `v1`, `v1 unstable`, `v2`, `v2 unstable`. */
  readonly imports: ReadonlySet<string>;
  /** The generated names that its entry points re-export, by schema. */
  readonly reexports: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the published packages, with their use of generated code. */
export function workspacePackages(root: string): readonly WorkspacePackage[] {
  const directory = join(root, "packages");
  if (!existsSync(directory)) return [];
  const found = readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, "package.json")))
    .sort()
    .map((name) => {
      const about = JSON.parse(readFileSync(join(directory, name, "package.json"), "utf8")) as {
        readonly name: string;
        readonly version?: string;
        readonly private?: boolean;
        readonly exports?: unknown;
      };
      return { about, folder: join(directory, name) };
    });
  const published = found.filter(({ about }) => about.private !== true);
  const exports = new Map<string, PackageExports>(
    published.map(({ about, folder }) => [about.name, readExports(folder, about.exports)]),
  );
  return published.map(({ about, folder }) => ({
    name: about.name,
    version: about.version ?? "0.0.0",
    imports: schemaImports(join(folder, "src")),
    reexports: bySchema(reexportsFrom(about.name, exports, isSchemaPackage)),
  }));
}

function isSchemaPackage(name: string): boolean {
  return name === "@acp-kit/schema" || name === "@acp-kit/types";
}

function bySchema(names: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [specifier, own] of names) {
    const entry = entryOf(specifier.replace(/^@acp-kit\/(?:schema|types)/, ""));
    found.set(entry, new Set([...(found.get(entry) ?? []), ...own]));
  }
  return found;
}

function schemaImports(directory: string): ReadonlySet<string> {
  const entries = new Set<string>();
  if (!existsSync(directory)) return entries;
  for (const file of filesBelow(directory)) {
    if (!/\.ts$/.test(file) || /\.(test|test-d|examples)\.ts$/.test(file)) continue;
    const source = readFileSync(join(directory, file), "utf8");
    for (const [, subpath] of source.matchAll(/["']@acp-kit\/(?:schema|types)((?:\/[\w-]+)*)["']/g))
      entries.add(entryOf(subpath ?? ""));
  }
  return entries;
}

/** Returns the schema of a specifier: `/v2/unstable/decode` → `v2 unstable`. */
function entryOf(subpath: string): string {
  const parts = subpath.split("/");
  return `${parts.includes("v2") ? "v2" : "v1"}${parts.includes("unstable") ? " unstable" : ""}`;
}
