import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProgram, programsHere } from "./find-program.js";
import { knownPrograms } from "./known-programs.js";

const windows = (files: readonly string[], env: Record<string, string> = {}) => ({
  platform: "win32" as const,
  env: { Path: 'C:\\tools;"C:\\Program Files\\npm"', ...env },
  canRun: (path: string) => files.includes(path),
});

it("finds the shims that package managers write on Windows", () => {
  expect(findProgram("gemini", windows(["C:\\Program Files\\npm\\gemini.cmd"]))).toBe(
    "C:\\Program Files\\npm\\gemini.cmd",
  );
  expect(findProgram("gemini", windows(["C:\\tools\\gemini.ps1"]))).toBe("C:\\tools\\gemini.ps1");
});

it("prefers the file that Windows would run", () => {
  const files = ["C:\\tools\\goose.cmd", "C:\\tools\\goose.exe", "C:\\tools\\goose"];
  expect(findProgram("goose", windows(files))).toBe("C:\\tools\\goose.exe");
  expect(findProgram("goose", windows(files, { PATHEXT: ".CMD" }))).toBe("C:\\tools\\goose.cmd");
});

it("does not treat a shell script without an extension as a Windows program", () => {
  expect(findProgram("goose", windows(["C:\\tools\\goose"]))).toBeUndefined();
});

it.skipIf(process.platform === "win32")("finds only files that may be executed", () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-path-"));
  writeFileSync(join(folder, "plain"), "");
  writeFileSync(join(folder, "program"), "");
  chmodSync(join(folder, "program"), 0o755);
  const here = programsHere({ PATH: `/no/such/folder:${folder}` });
  expect(findProgram("program", here)).toBe(join(folder, "program"));
  expect(findProgram("plain", here)).toBeUndefined();
  expect(findProgram("missing", here)).toBeUndefined();
  expect(findProgram("program", programsHere({}))).toBeUndefined();
  rmSync(folder, { recursive: true });
});

it("the table lists each agent once, sorted, with the address of a web page", () => {
  const ids = knownPrograms.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const { website, command } of knownPrograms) {
    expect(website).toMatch(/^https:\/\//);
    expect(command).toMatch(/^[\w-]+$/);
  }
});
