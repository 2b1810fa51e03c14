import { fileURLToPath } from "node:url";
import { Connection, type Diagnostic } from "@acp-kit/jsonrpc";
import { afterEach, describe, expect, it } from "vitest";
import { livingIn } from "../../test/processes.js";
import type { AgentProcess } from "./agent-process.js";
import { spawnAgent } from "./spawn-agent.js";
import type { SpawnAgentOptions } from "./spawn-options.js";

const fixture = fileURLToPath(new URL("../../test/fixtures/agent.mjs", import.meta.url));
let agents: AgentProcess[] = [];
afterEach(async () => {
  for (const agent of agents) {
    await agent.close();
    if (agent.pid !== undefined) expect(livingIn(agent.pid)).toEqual([]);
  }
  agents = [];
});

function connect(flags: readonly string[] = [], options: Partial<SpawnAgentOptions> = {}) {
  const agent = spawnAgent({ command: process.execPath, args: [fixture, ...flags], ...options });
  agents.push(agent);
  const diagnostics: Diagnostic[] = [];
  const connection = new Connection(agent, {
    respondToMalformed: false,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  connection.listen();
  return { agent, connection, diagnostics };
}

describe("a connection over an agent's process", () => {
  it("rejects all pending requests immediately, with the same cause, when the process exits", async () => {
    const { connection } = connect();
    await connection.request("echo", {});
    const pending = ["never", "never", "exit", "echo"].map((method) => connection.request(method, { code: 5 }));
    const outcomes = await Promise.allSettled(pending);
    const reason = await connection.closed;
    expect(reason).toMatchObject({
      code: "transport_failed",
      cause: { name: "ProcessError", code: "exited", exitCode: 5 },
    });
    const rejections = outcomes.filter((outcome) => outcome.status === "rejected").map((outcome) => outcome.reason);
    expect(rejections).toHaveLength(4);
    for (const rejection of rejections) {
      expect(rejection).toMatchObject({ name: "ConnectionError", code: "transport_failed" });
      expect((rejection as Error).cause).toBe(reason.cause);
    }
    await expect(connection.request("echo")).rejects.toMatchObject({ code: "transport_failed" });
  });

  it("rejects with a helpful message when the command does not exist", async () => {
    const { connection } = connect([], { command: "no-such-agent" });
    await expect(connection.request("initialize")).rejects.toThrow(/Can't find the command "no-such-agent"/);
  });

  it("is closed only when the process group is gone", async () => {
    const { agent, connection } = connect(["--tree", "--ignore-eof"], { exitGraceMs: 20 });
    await connection.request("echo", {});
    await connection.close();
    expect(livingIn(agent.pid ?? 0)).toEqual([]);
  });

  it("reports banners on stdout, and does not respond to them with errors", async () => {
    const { connection, diagnostics } = connect(["--banner"]);
    expect(await connection.request("echo", { a: 1 })).toEqual({ a: 1 });
    expect(diagnostics.map(({ code }) => code)).toEqual(["malformed_input", "malformed_input"]);
    await connection.close();
  });

  it("carries ten thousand requests, all at once, in both directions of full pipes", async () => {
    const { connection } = connect();
    const text = "x".repeat(2_000);
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, (_, id) => connection.request<{ id: number }>("echo", { id, text })),
    );
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, id) => id));
    await connection.close();
  });
});
