import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of the workspace, as far as a changeset is concerned. */
export interface WorkspacePackage {
  readonly name: string;
  readonly version: string;
  /** The schemas whose generated code its sources import, from either package: `v1`, `v1 unstable`, `v2`, `v2 unstable`. */
  readonly imports: ReadonlySet<string>;
}

/** The published packages, with what each takes from those that are generated. */
export function workspacePackages(root: string): readonly WorkspacePackage[] {
  const directory = join(root, "packages");
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, "package.json")))
    .sort()
    .flatMap((name) => {
      const about = JSON.parse(readFileSync(join(directory, name, "package.json"), "utf8")) as {
        readonly name: string;
        readonly version?: string;
        readonly private?: boolean;
      };
      if (about.private === true) return [];
      return [
        { name: about.name, version: about.version ?? "0.0.0", imports: schemaImports(join(directory, name, "src")) },
      ];
    });
}

function schemaImports(directory: string): ReadonlySet<string> {
  const entries = new Set<string>();
  if (!existsSync(directory)) return entries;
  for (const file of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    if (!/\.ts$/.test(file) || /\.(test|test-d|examples)\.ts$/.test(file)) continue;
    const source = readFileSync(join(directory, file), "utf8");
    for (const [, subpath] of source.matchAll(/["']@acp-kit\/(?:schema|types)((?:\/[\w-]+)*)["']/g))
      entries.add(entryOf(subpath ?? ""));
  }
  return entries;
}

/** `/v2/unstable/decode` → `v2 unstable` */
function entryOf(subpath: string): string {
  const parts = subpath.split("/");
  return `${parts.includes("v2") ? "v2" : "v1"}${parts.includes("unstable") ? " unstable" : ""}`;
}
