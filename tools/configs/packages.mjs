// Lists the projects of this workspace, from the workspace file and the manifests. This file needs no installed
// package.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Returns every entry of a package's export map that is code: "./dist/a/b.js" is built from "src/a/b.ts". The source of
 * an entry that shares the file of another one is named by its declarations.
 */
export function entries(directory) {
  const { exports = {} } = manifestOf(directory);
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const { default: file, types } = typeof target === "string" ? { default: target } : target;
    const [, output] = /^\.\/dist\/(.+)\.js$/.exec(file ?? "") ?? [];
    const [, source = output] = /^\.\/dist\/(.+)\.d\.ts$/.exec(types ?? "") ?? [];
    return output === undefined ? [] : [{ subpath, source: `src/${source}.ts`, output }];
  });
}

/** Returns the published packages of this workspace: `{ name, directory, manifest }`. */
export function packages() {
  return projects().filter(({ directory }) => dirname(directory) === join(root, "packages"));
}

/** Returns every project of this workspace, including private ones and the root: `{ name, directory, manifest }`. */
export function projects() {
  const [, list = ""] = /^packages:\n((?: +- .+\n)+)/m.exec(read(join(root, "pnpm-workspace.yaml"))) ?? [];
  const patterns = [...list.matchAll(/- "?([^"\n]+)"?/g)].map(([, pattern]) => pattern);
  return [root, ...patterns.flatMap(foldersOf)]
    .filter((directory) => existsSync(join(directory, "package.json")))
    .map((directory) => ({ directory, manifest: manifestOf(directory) }))
    .map(({ directory, manifest }) => ({ name: manifest.name, directory, manifest }));
}

function foldersOf(pattern) {
  if (!pattern.endsWith("/*")) return [join(root, pattern)];
  const parent = join(root, pattern.slice(0, -2));
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .sort()
    .map((name) => join(parent, name));
}

const manifestOf = (directory) => JSON.parse(read(join(directory, "package.json")));

// Git may check files out with CRLF.
const read = (path) => readFileSync(path, "utf8").replaceAll("\r\n", "\n");
