import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { ConformanceReport } from "../../report/report.js";
import { type TestClientOptions, testClient } from "./test-client.js";

const program = fileURLToPath(new URL("../../../test/raw-client-process.mjs", import.meta.url));

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "acp-kit-raw-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Tests the raw client in a process of its own. */
function run(options: object, more: Omit<TestClientOptions, "client">, words = ["--"]): Promise<ConformanceReport> {
  const agentInEnvironment = "agent" in options && options.agent === "environment";
  const command = [process.execPath, program, JSON.stringify(options), ...words];
  return testClient({ client: { command, cwd, agentInEnvironment }, stepTimeoutMs: 15_000, jobs: 2, ...more });
}

const failed = ({ scenarios }: ConformanceReport): string[] =>
  scenarios.filter(({ verdict }) => verdict.status === "failed").map(({ id }) => id);
const passed = ({ scenarios }: ConformanceReport): string[] =>
  scenarios.filter(({ kind, verdict }) => kind === "scenario" && verdict.status === "passed").map(({ id }) => id);

describe.concurrent("a client in a process of its own", () => {
  test("passes the scenarios about pipes and processes", async ({ expect }) => {
    const only = [
      "opening/stdio",
      "messages/byte-by-byte",
      "messages/long",
      "messages/many-in-one-write",
      "messages/stderr-is-drained",
      "cancellation/turn",
      "terminals/life",
      "files/write",
      "endings/agent-leaves",
      "endings/agent-dies-in-a-line",
      "endings/client-leaves",
    ];
    const report = await run({}, { only, skip: ["files/write-"], cancelStdin: "cancel" });
    expect(report.scenarios.map(({ id, verdict }) => [id, verdict.status])).toEqual(
      only.map((id) => [id, "passed"]).sort(order(report)),
    );
    expect(report).toMatchObject({
      role: "client",
      conformant: true,
      subject: { name: "raw-client", version: "1.0.0" },
    });
  });

  test("runs the scenarios that the watches of a rule need, if `only` names no scenario", async ({ expect }) => {
    const report = await run({}, { only: ["RPC-18"], cancelStdin: "cancel" });
    expect(passed(report)).toContain("opening/stdio");
    expect(report.scenarios.find(({ id }) => id === "schema/prompt")?.verdict.status).toBe("passed");
  });

  test("fails if it does not read the agent's stderr", async ({ expect }) => {
    const report = await run(
      { wrong: "leaves-stderr-full" },
      { only: ["messages/stderr-is-drained", "opening/stdio"], stepTimeoutMs: 5_000, confirm: false },
    );
    expect(failed(report)).toEqual(["messages/stderr-is-drained"]);
    // No page states that a client must read stderr: the rule is an inference, so it is advice
    expect(report.conformant).toBe(true);
  });

  test("fails if it decodes the chunks of a pipe separately", async ({ expect }) => {
    const report = await run(
      { wrong: "decodes-chunks" },
      { only: ["messages/byte-by-byte", "opening/stdio"], stepTimeoutMs: 5_000, confirm: false },
    );
    expect(failed(report)).toEqual(["messages/byte-by-byte"]);
  });

  test("finds its agent in one argument, or in its environment", async ({ expect }) => {
    const only = ["opening/stdio", "lifecycle"];
    expect(passed(await run({ agent: "environment" }, { only }))).toEqual(["opening/stdio"]);
    expect(passed(await run({ agent: "text" }, { only }, ["--", "{agent-string}"]))).toEqual(["opening/stdio"]);
  });

  test("is inconclusive with a reason if it never prompts", async ({ expect }) => {
    const report = await run(
      { wrong: "never-starts" },
      { only: ["opening", "updates"], stepTimeoutMs: 5_000, confirm: false },
    );
    expect(failed(report)).toEqual(["opening/stdio"]);
    expect(report).toMatchObject({
      verdict: "inconclusive",
      reasons: expect.arrayContaining(["The client opens no session by itself; it ended with code 7."]),
    });
  });

  test("has a finding if it can't be started", async ({ expect }) => {
    const report = await testClient({
      client: { command: ["/no/such/client"] },
      only: ["opening/stdio"],
      stepTimeoutMs: 5_000,
    });
    expect(report.scenarios[0]?.verdict).toMatchObject({ findings: [{ received: expect.stringContaining("ENOENT") }] });
  });
});

test.concurrent("the kit ends all processes of a client that doesn't end by itself", async ({ expect, skip }) => {
  skip(process.platform === "win32", "Windows has no ps to list processes with");
  const token = `no-end-${process.pid}`;
  const report = await run(
    { wrong: "waits-after-refusal" },
    { only: ["endings/refusal"], stepTimeoutMs: 5_000, confirm: false },
    [token, "--"],
  );
  expect(failed(report)).toEqual(["endings/refusal"]);
  expect(execFileSync("ps", ["-A", "-o", "args"], { encoding: "utf8" })).not.toContain(token);
});

/** Returns a comparison that sorts outcomes in the order of the report. */
function order({ scenarios }: ConformanceReport): (a: string[], b: string[]) => number {
  const place = ([id]: string[]): number => scenarios.findIndex((scenario) => scenario.id === id);
  return (a, b) => place(a) - place(b);
}
