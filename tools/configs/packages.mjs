// What a package's export map says about its sources: "./dist/a/b.js" is built from "src/a/b.ts".
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every entry of a package's export map that is code: `{ subpath: ".", source: "src/index.ts" }`. */
export function entries(directory) {
  const { exports = {} } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const file = typeof target === "string" ? target : target.default;
    const match = /^\.\/dist\/(.+)\.js$/.exec(file ?? "");
    return match ? [{ subpath, source: `src/${match[1]}.ts`, output: match[1] }] : [];
  });
}

/** The published packages of this workspace: `{ name, directory }`. */
export function packages() {
  return readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .filter((directory) => existsSync(join(directory, "package.json")))
    .map((directory) => ({ directory, name: JSON.parse(readFileSync(join(directory, "package.json"), "utf8")).name }));
}
