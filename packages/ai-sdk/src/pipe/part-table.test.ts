/// <reference types="node" />
import { fileURLToPath } from "node:url";
import ts from "typescript-api";
import { describe, expect, test } from "vitest";
import { partHandlers } from "./part-handlers.js";
import { textStreamParts, uiMessageChunks } from "./part-table.js";

/** Returns the part types that an installed version of `ai` declares, from the compiler. */
function declared(module: "ai" | "ai-7"): { fullStream: string[]; uiMessageStream: string[] } {
  const file = fileURLToPath(new URL("./declared-parts.ts", import.meta.url));
  const source = `
    import type { TextStreamPart, ToolSet, UIMessageChunk } from "${module}";
    export type FullStream = TextStreamPart<ToolSet>["type"];
    export type UiMessageStream = UIMessageChunk["type"];`;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, target) => {
    return path === file ? ts.createSourceFile(path, source, target) : getSourceFile(path, target);
  };
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const sourceFile = program.getSourceFile(file);
  const typesOf = (name: string): string[] => {
    const alias = sourceFile?.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name);
    const type = alias && checker.getTypeAtLocation(alias);
    const members = type?.isUnion() ? type.types : [];
    return members.map((member) => (member.isStringLiteral() ? member.value : checker.typeToString(member))).sort();
  };
  const fullStream = typesOf("FullStream");
  const uiMessageStream = typesOf("UiMessageStream").map((type) => (type.startsWith("`data-") ? "data-*" : type));
  return { fullStream, uiMessageStream };
}

const six = declared("ai");
const seven = declared("ai-7");
const both = (one: readonly string[], other: readonly string[]): string[] => [...new Set([...one, ...other])].sort();

describe("the table of parts", () => {
  test("is compared with the declarations of ai", () => {
    expect(six.fullStream).toContain("text-delta");
    expect(six.uiMessageStream).toContain("data-*");
    expect(seven.fullStream.length).toBeGreaterThan(six.fullStream.length);
  });

  test("has exactly the parts of fullStream that the installed versions of ai have", () => {
    expect(Object.keys(textStreamParts).sort()).toEqual(both(six.fullStream, seven.fullStream));
  });

  test("has exactly the chunks of a UI message stream that the installed versions of ai have", () => {
    expect(Object.keys(uiMessageChunks).sort()).toEqual(both(six.uiMessageStream, seven.uiMessageStream));
  });

  test("has a handler for each row", () => {
    const types = both(Object.keys(textStreamParts), Object.keys(uiMessageChunks));
    expect(Object.keys(partHandlers).sort()).toEqual(types);
  });
});
