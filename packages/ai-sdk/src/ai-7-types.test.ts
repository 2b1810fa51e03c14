/// <reference types="node" />
import { fileURLToPath } from "node:url";
import ts from "typescript-api";
import { expect, test } from "vitest";

const path = (from: string): string => fileURLToPath(new URL(from, import.meta.url));

test("the sources also compile with the types of the next major version of ai", () => {
  const { config } = ts.readConfigFile(path("../../../tools/configs/tsconfig.lib.json"), ts.sys.readFile);
  const { config: base } = ts.readConfigFile(path("../../../tools/configs/tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...base.compilerOptions, lib: config.compilerOptions.lib, isolatedDeclarations: false },
    path("."),
  );
  const program = ts.createProgram([path("./index.ts"), path("./mcp/index.ts")], {
    ...options,
    composite: false,
    incremental: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
    skipLibCheck: true,
    paths: { ai: [path("../node_modules/ai-7/dist/index.d.ts")] },
  });
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  expect(files.some((file) => file.includes("/ai@7."))).toBe(true);
  expect(files.some((file) => file.includes("/ai@6."))).toBe(false);
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(problems).toEqual([]);
});
