import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crashLine } from "./crash-line.js";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-crash-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** What a program writes to standard error when it crashes. */
function crash(command: string, ...args: string[]): string {
  return spawnSync(command, args, { encoding: "utf8", env: { PATH: process.env.PATH } }).stderr;
}

function crashOf(source: string, name: string): string {
  const file = join(directory, name);
  writeFileSync(file, source);
  return crash(process.execPath, file);
}

describe("the reason of a crash of this Node", () => {
  it.each([
    ["throw new Error('no API key')", "a.mjs", "Error: no API key"],
    ["throw new Error('no API key')", "a.cjs", "Error: no API key"],
    ["await Promise.reject(new TypeError('no API key'))", "b.mjs", "TypeError: no API key"],
    ["throw new Error('first\\nsecond\\nthird')", "c.mjs", "Error: first"],
    ["throw new Error('outer', { cause: new Error('inner') })", "d.mjs", "Error: outer"],
    ["throw Object.assign(new Error('no API key'), { code: 'E_KEY', more: { a: [1] } })", "e.mjs", "Error: no API key"],
    ["throw 'plain text'", "f.cjs", "plain text"],
    ["class ConfigError extends Error { name = 'ConfigError' } throw new ConfigError('x')", "g.mjs", "ConfigError: x"],
    ["nothing at all", "h.mjs", "SyntaxError: Unexpected identifier 'at'"],
    ["console.error('starting'); console.error('no license, bye'); process.exit(1)", "i.mjs", "no license, bye"],
    ["console.error('Error: retrying'); console.error('gave up'); process.exit(1)", "j.mjs", "gave up"],
    ["console.error('\\u001b[31mError: red\\u001b[39m\\n\\n'); process.exit(1)", "k.mjs", "Error: red"],
    ["console.error('10%\\r55%\\rdisk quota exceeded\\r'); process.exit(1)", "m.mjs", "disk quota exceeded"],
    [
      `console.error('10% of the file\\r'.repeat(100) + 'gave up\\u0007\\bat\\tlast'); process.exit(1)`,
      "n.mjs",
      "gave up  at last",
    ],
    ["process.exit(1)", "l.mjs", undefined],
  ])("%s", (source, name, reason) => {
    expect(crashLine(crashOf(source, name))).toBe(reason);
  });

  it("is found for a missing module, and for exhausted memory", () => {
    expect(crashLine(crashOf("import 'no-such-package'", "m.mjs"))).toMatch(/ERR_MODULE_NOT_FOUND.*no-such-package/);
    expect(crashLine(crash(process.execPath, join(directory, "none.js")))).toMatch(/Cannot find module .*none\.js/);
    expect(crashLine(crashOf("Promise.reject('r')", "n.mjs"))).toContain('rejected with the reason "r"');
    expect(crashLine(crashOf("throw new AggregateError([new Error('a')], 'many')", "o.mjs"))).toContain("many");
    const oom = "const all = []; for (;;) all.push(new Array(1000).fill({}));";
    expect(crashLine(crash(process.execPath, "--max-old-space-size=10", "-e", oom))).toMatch(/^FATAL ERROR: .*memory$/);
  });
});

/** The samples of a fixture: a line that begins with `== ` names each and gives the reason. */
function samples(fixture: string): (readonly [name: string, reason: string, output: string])[] {
  return readFileSync(fileURLToPath(new URL(`../../test/fixtures/${fixture}`, import.meta.url)), "utf8")
    .split(/^== /m)
    .slice(1)
    .map((entry) => {
      const [title = "", ...lines] = entry.split("\n");
      const [name = "", reason = ""] = title.split(" => ");
      return [name, reason, lines.join("\n")] as const;
    });
}

// The first file is the real output of the versions it names; `test/record-crashes.mjs` writes it. The second one is
// not: its runtimes could not be had where the first was recorded, and its samples follow their documentation.
describe.each(["crashes.txt", "crashes-documented.txt"])("the reason of a crash in %s", (fixture) => {
  it.each(samples(fixture))("of %s is: %s", (_, reason, output) => {
    expect(crashLine(output)).toBe(reason);
    expect(crashLine(output.replaceAll("\n", "\r\n"))).toBe(reason);
  });
});

describe("any standard error", () => {
  it("hostile.standard-error: gives one line of at most 300 characters", () => {
    expect(crashLine(`Error: ${"x".repeat(10_000)}`)).toHaveLength(300);
    expect(crashLine("")).toBeUndefined();
    expect(crashLine(" \n\t\n\r\n")).toBeUndefined();
    expect(crashLine("    at only (a stack)\n")).toBe("at only (a stack)");
  });

  it.each([
    " ",
    "\n",
    "a\n",
    "  a\n",
    "(",
    ")",
    "a(",
    "-",
    "--- ",
    "^",
    "\u001b[",
    "\u001b[1;",
    "thread 'x' panicked at ",
    "Error",
    "$.",
    "npm error ",
    "\r",
  ])("is searched in linear time: a text of %j", async (part) => {
    const search = (size: number) => crashLine(`${part.repeat(size)}x`);
    expect(search(100_000)?.length ?? 0).toBeLessThanOrEqual(300);
    expect(await growthOf(search)).toBeLessThan(LINEAR);
  });
});
