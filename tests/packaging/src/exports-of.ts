import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { node, succeed } from "./commands.js";

/** The exports of a module at run time: each name with its kind, sorted. */
export type Exports = Readonly<Record<string, "class" | "function" | "value">>;

/** The exports of modules, and their output while they were loaded. */
export interface Loaded {
  readonly exports: Readonly<Record<string, Exports>>;
  readonly written: string;
}

/**
 * Loads modules in a process of its own. The process must end by itself, so a module that starts something at import
 * fails the test. The result goes to a file, because an entry may use standard output.
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
