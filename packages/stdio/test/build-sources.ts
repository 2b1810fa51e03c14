import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Makes the sources runnable by a plain `node` process, in `directory`, with the fixtures beside them: tests of whole processes
 * then test what is written now, without a build before.
 */
export function buildSources(directory: string): void {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  for (const source of sources.filter((name) => /(?<!\.test|\.test-d|\.examples)\.ts$/.test(name))) {
    const { outputText } = ts.transpileModule(readFileSync(join(root, "src", source), "utf8"), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
    });
    const target = join(directory, source.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
  }
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  cpSync(join(root, "test", "fixtures"), directory, { recursive: true });
}
