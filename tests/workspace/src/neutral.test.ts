import { existsSync } from "node:fs";
import { join } from "node:path";
import { packages } from "@acp-kit/configs/packages";
import ts from "typescript-api";
import { describe, expect, it } from "vitest";
import { packageBoundaries } from "./package-boundaries.js";

/** Compiles one package as its build does, with a text in place of its sources. Returns the errors. */
function errorsOf(directory: string, text: string): string[] {
  const { options } = configOf(join(directory, "tsconfig.lib.json"));
  const probe = join(directory, "src", "probe.ts");
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.fileExists = (path) => path === probe || existsSync(path);
  host.getSourceFile = (path, target) =>
    path === probe ? ts.createSourceFile(path, text, target) : library(path, target);
  const program = ts.createProgram([probe], { ...options, noEmit: true, composite: false, incremental: false }, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(probe))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));

  function library(path: string, target: ts.ScriptTarget | ts.CreateSourceFileOptions) {
    const known = parsed.get(path) ?? getSourceFile(path, target);
    if (known) parsed.set(path, known);
    return known;
  }
}

// The compiler's libraries are parsed once for all packages.
const parsed = new Map<string, ts.SourceFile>();

function configOf(path: string): ts.ParsedCommandLine {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(path, {}, host);
  if (!config) throw new Error(`${path} cannot be read`);
  return config;
}

const neutral = packages().filter(({ name }) =>
  Object.values(packageBoundaries[name]?.entries ?? {}).includes("neutral"),
);

describe.each(neutral)("the part of $name that does not depend on Node", ({ directory }) => {
  it.each([
    ["process", "export const value: unknown = process.env;"],
    ["Buffer", "export const value: unknown = Buffer.from([]);"],
    ["setImmediate", "export const value: unknown = setImmediate(() => {});"],
    ["require", 'export const value: unknown = require("fs");'],
    ["global", "export const value: unknown = global;"],
    ["node:fs", 'import { readFileSync } from "node:fs";\nexport const value: unknown = readFileSync;'],
  ])("does not compile with %s", (name, text) => {
    expect(errorsOf(directory, text)).toEqual([expect.stringMatching(new RegExp(`Cannot find .*'${name}'`))]);
  });

  it("compiles with globals of the web platform", () => {
    const text =
      "export const value: unknown = [structuredClone, TextDecoder, AbortSignal.any, ReadableStream, setTimeout];";
    expect(errorsOf(directory, text)).toEqual([]);
  });

  it("imports no declarations of Node", () => {
    const { options, fileNames } = configOf(join(directory, "tsconfig.lib.json"));
    const files = ts.createProgram(fileNames, options).getSourceFiles();
    expect(files.map(({ fileName }) => fileName).filter((path) => path.includes("/@types/node/"))).toEqual([]);
  });
});
