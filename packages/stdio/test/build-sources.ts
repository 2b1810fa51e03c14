import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "@acp-kit/configs/files";
import ts from "typescript-api";

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
  cpSync(join(source, "package.json"), join(target, "package.json"));
}

/** Strips the types, as every build does first. */
export function toJavaScript(source: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

function transpile(from: string, to: string): void {
  const sources = filesBelow(from);
  for (const source of sources.filter((name) => /(?<!\.test|\.test-d|\.examples)\.ts$/.test(name))) {
    const target = join(to, source.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, toJavaScript(readFileSync(join(from, source), "utf8")));
  }
}
