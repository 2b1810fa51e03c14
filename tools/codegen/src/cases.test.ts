import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-api";
import { describe, expect, it } from "vitest";
import { type Case, loadCases } from "../test/case.js";
import { emitCapabilities } from "./emit-capabilities.js";
import { emitGates } from "./emit-gates.js";
import { emitGuards } from "./emit-guards.js";
import { emitMethods } from "./emit-methods.js";
import { emitTypes } from "./emit-types.js";
import { taggedOf } from "./names.js";

const cases = loadCases();

/** The output of a case: file name → text. */
async function outputs({ ir, gates }: Case): Promise<Map<string, string>> {
  const files = new Map([["types.gen.ts", await emitTypes(ir, undefined)]]);
  if ([...ir.definitions.values()].some(({ node }) => taggedOf(node) !== undefined))
    files.set("guards.gen.ts", emitGuards(ir));
  if (gates !== undefined) {
    files.set("methods.gen.ts", emitMethods(ir, gates, undefined));
    files.set("gates.gen.ts", emitGates(ir, gates));
    files.set("capabilities.gen.ts", emitCapabilities(ir, gates));
  }
  return files;
}

/** Generates the files of a case that this test compares; the decoders have a test of their own. */
function expectedFiles({ expected }: Case): string[] {
  return existsSync(expected) ? readdirSync(expected).filter((name) => !name.startsWith("decode")) : [];
}

// After an intended change: `vitest run tools/codegen -u`, and review the diff.
describe.each(cases)("$name", (one) => {
  it("generates exactly the files in its folder `expected`", async () => {
    const files = await outputs(one);
    for (const [name, text] of files) await expect(text).toMatchFileSnapshot(join(one.expected, name));
    expect(expectedFiles(one).filter((name) => !files.has(name))).toEqual([]);
  });
});

describe("the expected files", () => {
  // The expected files import the package's runtime, so the test compiles them at the paths of the generated files.
  const home = fileURLToPath(new URL("../../../packages/types/src/gen/", import.meta.url));
  const files = new Map(
    cases.flatMap((one) =>
      expectedFiles(one).map((file) => {
        const path = join(home, `case-${one.name}`, file);
        return [path, readFileSync(join(one.expected, file), "utf8")] as const;
      }),
    ),
  );

  it("compile under the strictest compiler settings", { timeout: 120_000 }, () => {
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      isolatedDeclarations: true,
      declaration: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      noEmit: true,
      types: [],
    };
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, directoryExists } = host;
    host.fileExists = (path) => files.has(path) || fileExists(path);
    host.directoryExists = (path) => path.includes("/case-") || (directoryExists?.(path) ?? true);
    host.readFile = (path) => files.get(path) ?? readFile(path);
    host.getSourceFile = (path, target) => {
      const text = host.readFile(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, target);
    };
    const program = ts.createProgram([...files.keys()], options, host);
    const errors = ts
      .getPreEmitDiagnostics(program)
      .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
    expect(errors).toEqual([]);
    expect(files.size).toBeGreaterThan(30);
  });
});
