import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findRuntimes } from "../../../scripts/find-runtimes.mjs";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-runtimes-"));
  writeProgram("old", "bun", "0.8.1");
  writeProgram("broken", "bun", "not a version");
  writeProgram("new", "bun", "1.99.0");
  writeProgram("new", "deno", "deno 2.99.0 (stable, release, x86_64-unknown-linux-gnu)\nv8 15.0.245.2-rusty");
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Creates a folder with a program that reports this version. */
function writeProgram(folder: string, name: string, version: string): void {
  mkdirSync(join(directory, folder), { recursive: true });
  const program = join(directory, folder, name);
  writeFileSync(program, `#!/bin/sh\necho '${version}'\n`);
  chmodSync(program, 0o755);
}

describe.skipIf(process.platform === "win32")("Bun and Deno", () => {
  const at = (...folders: string[]): string => folders.map((folder) => join(directory, folder)).join(delimiter);

  it("are found by ACP_KIT_RUNTIMES, in the major that is supported", () => {
    expect(findRuntimes({ ACP_KIT_RUNTIMES: at("none", "old", "broken", "new") })).toEqual([
      { name: "bun", major: 1, program: join(directory, "new", "bun"), version: "1.99.0" },
      { name: "deno", major: 2, program: join(directory, "new", "deno"), version: "2.99.0" },
    ]);
  });

  it("are found on the PATH, unless they are installed in the workspace", () => {
    const found = findRuntimes({ PATH: at("new") });
    expect(found.map(({ major, version }) => [major, Number(version?.split(".")[0])])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });
});
