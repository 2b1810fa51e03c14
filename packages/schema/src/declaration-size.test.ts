import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const generated = fileURLToPath(new URL("./gen/", import.meta.url));

/** The declarations of one version as they are published. */
function declarations(id: string): Map<string, string> {
  const compilerOptions: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  return new Map(
    readdirSync(`${generated}${id}`)
      .filter((name) => name.endsWith(".gen.ts"))
      .map((name) => {
        const text = readFileSync(`${generated}${id}/${name}`, "utf8");
        return [name, ts.transpileDeclaration(text, { fileName: name, compilerOptions }).outputText];
      }),
  );
}

const kilobytes = (texts: Iterable<string>) => Buffer.byteLength([...texts].join("")) / 1000;

describe("the published declarations", () => {
  it.each([
    ["v1", 250],
    ["v1-unstable", 250],
    ["v2", 250],
    ["v2-unstable", 300], // A draft of a draft: everything of v2 and as much again on trial. Three quarters of it is documentation.
  ])("of %s stay below %i kB", (id, budget) => {
    expect(kilobytes(declarations(id).values())).toBeLessThan(budget);
  });

  it("of the types of v1 stay below 40 kB when packed", () => {
    const types = declarations("v1").get("types.gen.ts") ?? "";
    expect(types).toContain("export interface ToolCall ");
    expect(gzipSync(types).byteLength / 1000).toBeLessThan(40);
  });
});
