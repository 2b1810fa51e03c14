import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LocalEnvironment, localEnvironment } from "./local-environment.js";

let root = "";
let environment: LocalEnvironment;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-local-")));
  environment = localEnvironment({ roots: [root] });
});
afterEach(async () => {
  await environment.close();
  rmSync(root, { recursive: true, force: true });
});

const node = (script: string) => ({ command: process.execPath, args: ["-e", script] });

describe("localEnvironment", () => {
  test("writes and reads files inside the roots, and none outside", async () => {
    await environment.writeTextFile(join(root, "deep/a.txt"), "one\ntwo\nthree\n");
    expect(readFileSync(join(root, "deep/a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(await environment.readTextFile(join(root, "deep/a.txt"), { line: 2, limit: 1 })).toBe("two\n");
    await expect(environment.readTextFile(join(root, "b.txt"))).rejects.toMatchObject({ code: -32002 });
    await expect(environment.readTextFile(join(root, "../a.txt"))).rejects.toMatchObject({ code: -32602 });
    await expect(environment.writeTextFile("/etc/x", "")).rejects.toMatchObject({ code: -32602 });
  });

  test("runs commands in the first root, and returns their exit codes", async () => {
    const script = "process.stdout.write(process.cwd() + ' ' + process.env.NAME); process.exitCode = 3";
    expect(await environment.run({ ...node(script), env: { NAME: "value" } })).toEqual({
      output: `${root} value`,
      truncated: false,
      exitCode: 3,
      signal: null,
      timedOut: false,
    });
  });

  test("ends a command after timeoutMs, and returns its output", async () => {
    const result = await environment.run({
      ...node("console.log('working'); setInterval(() => {}, 1000)"),
      timeoutMs: 1_000,
    });
    expect(result).toMatchObject({ output: "working\n", timedOut: true });
    expect(result.signal ?? result.exitCode).not.toBe(0);
  });

  test.each([2 ** 31, Number.POSITIVE_INFINITY])("runs a command to its end with a time limit of %d", async (ms) => {
    const unlimited = localEnvironment({ roots: [root], terminals: { maxLifetimeMs: ms } });
    const result = await unlimited.run({ ...node("setTimeout(() => console.log('done'), 50)"), timeoutMs: ms });
    expect(result).toMatchObject({ output: "done\n", exitCode: 0, timedOut: false });
    await unlimited.close();
  });

  test("ends a command whose signal aborts", async () => {
    const abort = new AbortController();
    const running = environment.run({ ...node("setInterval(() => {}, 1000)"), signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  test("writes no file if files are read-only", async () => {
    const readOnly = localEnvironment({ roots: [root], files: { readOnly: true } });
    await expect(readOnly.writeTextFile(join(root, "a.txt"), "x")).rejects.toThrow("read-only");
  });
});
