import { existsSync } from "node:fs";
import { join } from "node:path";
import { packages } from "@acp-kit/configs/packages";
import ts from "typescript-api";
import { beforeAll, describe, expect, it } from "vitest";
import { packageBoundaries } from "./package-boundaries.js";

/**
 * Compiles one package as its build does, with texts in place of its sources. Returns a function that returns the
 * errors of a text.
 */
function compile(directory: string, texts: readonly string[]): (text: string) => string[] {
  const { options } = configOf(join(directory, "tsconfig.lib.json"));
  const probes = new Map(texts.map((text, index) => [join(directory, "src", `probe-${index}.ts`), text]));
  const host = hostOf(options, probes);
  const program = ts.createProgram(
    [...probes.keys()],
    { ...options, noEmit: true, composite: false, incremental: false },
    host,
  );
  return (text) => {
    const [probe = ""] = [...probes].find(([, each]) => each === text) ?? [];
    return ts
      .getPreEmitDiagnostics(program, program.getSourceFile(probe))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  };
}

/** Returns a host of the compiler that also has files in memory, and parses each file of the disk once. */
function hostOf(options: ts.CompilerOptions, texts: ReadonlyMap<string, string> = new Map()): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || existsSync(path);
  host.getSourceFile = (path, target) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, target);
    const known = parsed.get(path) ?? getSourceFile(path, target);
    if (known) parsed.set(path, known);
    return known;
  };
  return host;
}

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

const ofNode = [
  ["process", "export const value: unknown = process.env;"],
  ["Buffer", "export const value: unknown = Buffer.from([]);"],
  ["setImmediate", "export const value: unknown = setImmediate(() => {});"],
  ["require", 'export const value: unknown = require("fs");'],
  ["global", "export const value: unknown = global;"],
  ["node:fs", 'import { readFileSync } from "node:fs";\nexport const value: unknown = readFileSync;'],
] as const;
const ofTheWeb =
  "export const value: unknown = [structuredClone, TextDecoder, AbortSignal.any, ReadableStream, setTimeout];";

describe.each(neutral)("the part of $name that does not depend on Node", ({ directory }) => {
  let errorsOf: (text: string) => string[];
  beforeAll(() => {
    errorsOf = compile(directory, [...ofNode.map(([, text]) => text), ofTheWeb]);
  });

  it.each(ofNode)("does not compile with %s", (name, text) => {
    expect(errorsOf(text)).toEqual([expect.stringMatching(new RegExp(`Cannot find .*'${name}'`))]);
  });

  it("compiles with globals of the web platform", () => {
    expect(errorsOf(ofTheWeb)).toEqual([]);
  });

  it("imports no declarations of Node", () => {
    const { options, fileNames } = configOf(join(directory, "tsconfig.lib.json"));
    const files = ts.createProgram(fileNames, options, hostOf(options)).getSourceFiles();
    expect(files.map(({ fileName }) => fileName).filter((path) => path.includes("/@types/node/"))).toEqual([]);
  });
});
