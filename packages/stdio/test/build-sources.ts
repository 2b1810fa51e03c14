import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "@acp-kit/configs/files";
import { buildSync, transformSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Builds the sources into `directory` so that a plain `node` process can run them, with the fixtures beside them. Tests
 * of whole processes then test the current sources, without a build before.
 */
export function buildSources(directory: string): void {
  transpile(join(root, "src"), directory);
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  cpSync(join(root, "test", "fixtures"), directory, { recursive: true });
  install("jsonrpc", directory);
}

/** Makes this package, and its dependency, importable by name for programs below `directory`. */
export function installSources(directory: string): void {
  for (const name of ["jsonrpc", "stdio"]) install(name, directory);
}

function install(name: string, directory: string): void {
  const source = join(root, "..", name);
  const target = join(directory, "node_modules", "@acp-kit", name);
  transpile(join(source, "src"), join(target, "dist"));
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest;
  // An entry can share the file of another one in the build, and has a source of its own.
  for (const entry of Object.values(manifest.exports)) entry.default = entry.types.replace(/\.d\.ts$/, ".js");
  writeFileSync(join(target, "package.json"), JSON.stringify(manifest));
}

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string; default: string }>>;
}

const options = {
  format: "esm",
  target: "es2022",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
} as const;

/** Strips the types, as every build does first. */
export function toJavaScript(source: string): string {
  return transformSync(source, { ...options, loader: "ts" }).code;
}

function transpile(from: string, to: string): void {
  const sources = filesBelow(from).filter((name) => /(?<!\.test|\.test-d|\.examples)\.ts$/.test(name));
  buildSync({ ...options, entryPoints: sources.map((name) => join(from, name)), outbase: from, outdir: to });
}
