import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import ts from "typescript-api";
import { describe, expect, it } from "vitest";

// `@acp-kit/types` publishes the stable parts.
const homes = ["./gen/", "../../types/src/gen/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** The declarations of one version as they are published. */
function declarations(id: string): Map<string, string> {
  const compilerOptions: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  return new Map(
    homes
      .map((home) => `${home}${id}/`)
      .filter((directory) => existsSync(directory))
      .flatMap((directory) => readdirSync(directory).map((name) => ({ directory, name })))
      .filter(({ name }) => name.endsWith(".gen.ts"))
      .map(({ directory, name }) => {
        const text = readFileSync(`${directory}${name}`, "utf8");
        return [name, ts.transpileDeclaration(text, { fileName: name, compilerOptions }).outputText];
      }),
  );
}

const kilobytes = (texts: Iterable<string>) => Buffer.byteLength([...texts].join("")) / 1000;

describe("the published declarations", () => {
  // An unstable version re-exports everything it shares with the stable one.
  it.each(["v1", "v1-unstable", "v2", "v2-unstable"])("of %s stay below 250 kB", (id) => {
    expect(kilobytes(declarations(id).values())).toBeLessThan(250);
  });

  it("of the types of v1 stay below 40 kB when packed", () => {
    const types = declarations("v1").get("types.gen.ts") ?? "";
    expect(types).toContain("export interface ToolCall ");
    expect(gzipSync(types).byteLength / 1000).toBeLessThan(40);
  });
});
