import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConformanceReport } from "@acp-kit/conformance";
import { afterAll, describe, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { type Ended, sandbox, start } from "../../../test/spawned.js";

const { cwd, home, remove } = sandbox();
afterAll(remove);

async function conformance(words: readonly string[]): Promise<Ended> {
  return (await start(["conformance", "client", ...words], home, { cwd })).ended;
}

/** `acp-kit run` as the client under test. */
async function client(...words: readonly string[]): Promise<string[]> {
  return ["--", process.execPath, await commandLine(), "run", ...words];
}

describe.concurrent("acp-kit conformance client", () => {
  it("tests acp-kit run, and writes a report", async ({ expect }) => {
    const only = ["--only", "opening/stdio,permissions/answered,files/read-lines,lifecycle", "--step", "30"];
    const file = join(cwd, "report.json");
    const asked = await client("--prompt", "{prompt}", "--permissions", "allow", "--cwd", "{cwd}", "--");
    const { code, out, err } = await conformance([...only, "--json", file, ...asked]);
    expect(code, out + err).toBe(0);
    const report = JSON.parse(readFileSync(file, "utf8")) as ConformanceReport;
    expect(report).toMatchObject({ role: "client", conformant: true, subject: { name: "acp-kit" } });
    expect(
      report.scenarios.filter(({ kind }) => kind === "scenario").map(({ id, verdict }) => [id, verdict.status]),
    ).toEqual([
      ["opening/stdio", "passed"],
      ["permissions/answered", "passed"],
      ["files/read-lines", "passed"],
    ]);
  });

  it("ends with 3, and says what to do, when the client never prompts", async ({ expect }) => {
    const { code, out, err } = await conformance(["--only", "opening/stdio", ...(await client("--help"))]);
    expect(code).toBe(3);
    expect(out).toContain("The client opens no session by itself");
    expect(err).toContain("Pass --stdin, or {prompt}");
  });

  it("needs a client, and a scenario", async ({ expect }) => {
    expect(await conformance([])).toMatchObject({ code: 2, err: expect.stringContaining("The client is missing") });
    const none = await conformance(["--only", "no-such", ...(await client("--help"))]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("No scenario is left to run") });
  });
});
