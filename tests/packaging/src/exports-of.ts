import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { node, succeed } from "./commands.js";

/** What a module exports at run time: each name with what is behind it, sorted. */
export type Exports = Readonly<Record<string, "class" | "function" | "value">>;

/** What modules export, and what they wrote while they were loaded. */
export interface Loaded {
  readonly exports: Readonly<Record<string, Exports>>;
  readonly written: string;
}

/**
 * Loads modules in a process of its own, which must end by itself: a module that starts something at import would keep it.
 * What is found goes to a file, because an entry may take standard output for itself.
 */
export async function load(
  home: string,
  specifiers: readonly string[],
  how: "import" | "require",
  flags: readonly string[] = [],
): Promise<Loaded> {
  const [script, output] = [`${how}.cjs`, `${how}.json`];
  writeFileSync(join(home, script), program(specifiers, how));
  const { stdout, stderr } = await succeed(node(...flags, script, output), home);
  return { exports: JSON.parse(readFileSync(join(home, output), "utf8")), written: stdout + stderr };
}

function program(specifiers: readonly string[], how: "import" | "require"): string {
  return `
const kind = (value) => typeof value !== "function" ? "value" : /^class\\b/.test(String(value)) ? "class" : "function";
(async () => {
  const found = {};
  for (const specifier of ${JSON.stringify(specifiers)}) {
    const module = await ${how}(specifier);
    found[specifier] = Object.fromEntries(Object.keys(module).sort().map((name) => [name, kind(module[name])]));
  }
  require("node:fs").writeFileSync(process.argv[2], JSON.stringify(found));
})();`;
}
