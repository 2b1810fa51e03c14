import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandLine } from "../../test/program.js";
import { demoAgent, sandbox } from "../../test/spawned.js";
import { ExitCode } from "./exit-code.js";
import { answer, isHealthy } from "./readme.examples.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8").replaceAll("\r\n", "\n");
const { cwd, home, remove } = sandbox();
afterAll(remove);

/** The examples: a script each, and what it prints where the README shows it. */
const examples = [...readme.matchAll(/<!-- example -->\n\n```sh\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)].map(
  ([, script = "", output]) => ({ script, output, title: script.trim().split("\n").at(-1) }),
);

/** The rows of the table behind a mark. */
function rowsBehind(mark: string): string[][] {
  const [, table = ""] = new RegExp(`<!-- ${mark} -->\\n\\n((?:\\|.*\\n)+)`).exec(readme) ?? [];
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe.skipIf(process.platform === "win32")("the examples of the README are run by a shell", () => {
  beforeAll(async () => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "acp-kit"), `#!/bin/sh\nexec "${process.execPath}" "${await commandLine()}" "$@"\n`);
    chmodSync(join(bin, "acp-kit"), 0o755);
  });

  it.each(examples)("$title", async ({ script, output }) => {
    const path = [join(home, "bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
    const shell = spawn("sh", ["-ec", script], {
      cwd,
      env: { PATH: path, HOME: home },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    shell.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    const code = await new Promise((resolve) => shell.once("close", resolve));
    expect(code, out).toBe(0);
    if (output === undefined) expect(out).not.toBe("");
    else expect(out).toBe(output);
  });
});

it("has every exit code, and no other", () => {
  expect(rowsBehind("exit codes").map(([code]) => Number(code))).toEqual(Object.values(ExitCode));
});

it("has the example of the library, which works", async () => {
  const [, command = "", ...args] = await demoAgent();
  expect(await answer(command, args, "Hello")).toContain("1. text: Hello");
});

it("has the example for programs, which works", async () => {
  const [, ...agent] = await demoAgent();
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const healthy = isHealthy(agent);
  write.mockImplementation((_chunk, encoding, done) => {
    (typeof encoding === "function" ? encoding : done)?.();
    return true;
  });
  expect(await healthy.finally(() => write.mockRestore())).toBe(true);
});
