import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "@acp-kit/promises-tests/program";
import { workspaceFiles } from "@acp-kit/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-killed-")));
});
afterEach(() => rmSync(root, { recursive: true }));

const temporaryFiles = (): string[] => readdirSync(root).filter((name) => name.endsWith(".tmp"));
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts a writer, and kills it while its temporary file exists. */
async function killWhileWriting(): Promise<void> {
  const child = spawn(process.execPath, [await program(new URL("./peers/writer.ts", import.meta.url)), root], {
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  while (temporaryFiles().length === 0) await immediate();
  child.kill("SIGKILL");
  expect(await exited).toEqual([null, "SIGKILL"]);
}

describe("a writer that is killed while it writes", () => {
  test("workspace.no-leftovers: keeps the complete file, and the next write removes the temporary file", async () => {
    writeFileSync(join(root, "a.txt"), "whole\n");
    // The writer may have finished before the signal. Then there is no temporary file, and the test kills another
    // writer.
    while (temporaryFiles().length === 0) await killWhileWriting();
    expect(readFileSync(join(root, "a.txt"), "utf8")).toMatch(/^whole\n$|^\d+\nx*$/);
    expect([6, 8_000_000]).toContain(readFileSync(join(root, "a.txt")).length);
    const files = workspaceFiles({ roots: [root] });
    const { signal } = new AbortController();
    const request = { sessionId: "s1", path: join(root, "b.txt"), content: "b" };
    await files.writeTextFile?.(request, { session: undefined, signal });
    expect(readdirSync(root).sort()).toEqual(["a.txt", "b.txt"]);
  });
});
