// Run `pnpm declarations` after a build. For the packages that every agent installs, it excludes the declarations that
// no entry point reaches: it writes them into `files` of the manifests, and the packaging tests compare. The excluded
// files stay on the disk, because tests compile against them.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { filesBelow } from "./files.mjs";
import { entries, packages } from "./packages.mjs";

/**
 * The packages that every agent installs: `agent.packages` of `tests/workspace/src/package-boundaries.ts` and their
 * dependencies.
 */
const slim = ["@acp-kit/agent", "@acp-kit/stdio", "@acp-kit/protocol", "@acp-kit/jsonrpc", "@acp-kit/types"];

/**
 * Returns the declarations below a folder that its entry points reach by relative imports, sorted, with forward
 * slashes.
 */
export function reachableDeclarations(directory, outputs) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(join(directory, path), "utf8");
    // Matches imports and exports, types within a declaration, and imports for their side effect.
    for (const [, specifier] of text.matchAll(/(?:\bfrom |\bimport\(|\bimport )["'](\.[^"']+)["']/g))
      visit(join(dirname(path), specifier.replace(/\.js$/, ".d.ts")).split(sep).join("/"));
  };
  for (const output of outputs) visit(`dist/${output}.d.ts`);
  return [...seen].sort();
}

/** Returns the field `files` of a manifest, without unreachable declarations. */
export function filesOf({ name, directory, manifest }) {
  const kept = manifest.files.filter((pattern) => !/^!dist\/.*\.d\.ts$/.test(pattern));
  if (!slim.includes(name)) return kept;
  const reached = new Set(
    reachableDeclarations(
      directory,
      entries(directory).map(({ output }) => output),
    ),
  );
  const all = filesBelow(join(directory, "dist")).map((path) => `dist/${path}`);
  const left = all.filter((path) => path.endsWith(".d.ts") && !reached.has(path)).sort();
  const at = kept.findIndex((pattern) => !pattern.startsWith("!dist") && pattern !== "dist");
  return [...kept.slice(0, at), ...left.map((path) => `!${path}`), ...kept.slice(at)];
}

if (process.argv[1] === import.meta.filename) {
  for (const project of packages()) {
    const path = join(project.directory, "package.json");
    const text = `${JSON.stringify({ ...project.manifest, files: filesOf(project) }, undefined, 2)}\n`;
    if (readFileSync(path, "utf8") !== text) {
      writeFileSync(path, text);
      console.log(`written: ${relative(process.cwd(), path)}`);
    }
  }
}
