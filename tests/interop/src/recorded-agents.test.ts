import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { program } from "@acp-kit/promises-tests/program";
import { type SpawnAgentOptions, spawnAgent } from "@acp-kit/stdio/node";
import { readRecordingFile } from "@acp-kit/testing/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realAgents, startModel } from "./peers/real-agents.js";

let directory: string;
let tee: string;
let proxy: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "acp-kit-recorded-"));
  tee = await program(new URL("./peers/raw-tee.ts", import.meta.url));
  proxy = await program(new URL("./peers/recording-proxy.ts", import.meta.url));
});
afterAll(() => rmSync(directory, { recursive: true }));

const { agents, reason } = realAgents();

/** Runs a turn with a tee on either side of the recorder: client ── tee ── recorder ── tee ── agent. */
async function play(name: string, agent: SpawnAgentOptions, cwd: string, prompt: string): Promise<void> {
  const file = (end: string): string => join(directory, `${name}-${end}`);
  const node = process.execPath;
  const chain = [tee, file("client"), node, proxy, file("recording.jsonl"), node, tee, file("agent"), agent.command];
  const recorded = { ...agent, command: node, args: [...chain, ...(agent.args ?? [])] };
  const connection = await connectAgent(spawnAgent({ ...recorded, exitGraceMs: 20_000 }), {
    permissions: async () => "allow_once",
  });
  const session = await connection.newSession({ cwd });
  const { stopReason } = await session.prompt(prompt).result;
  await connection.close();
  expect(stopReason).toBe("end_turn");

  const bytes = (end: string): Buffer => readFileSync(file(end));
  expect(bytes("agent.in").equals(bytes("client.in"))).toBe(true);
  expect(bytes("agent.out").equals(bytes("client.out"))).toBe(true);
  const { entries, problems } = await readRecordingFile(file("recording.jsonl"));
  expect(problems).toEqual([]);
  const lines = (end: string): number => bytes(end).toString().split("\n").length - 1;
  for (const [from, end] of [
    ["client", "agent.in"],
    ["agent", "agent.out"],
  ] as const) {
    const said = entries.filter((entry) => (entry.kind === "message" || entry.kind === "noise") && entry.from === from);
    expect(said).toHaveLength(lines(end));
  }
  expect(entries.at(-1)).toMatchObject({ kind: "process", event: "exited" });
}

describe("a recorder between our client and an agent changes no byte of the messages", () => {
  it.each(["kit-agent", "sdk-2-agent", "sdk-0-agent"])("of the %s", async (name) => {
    const args = [await program(new URL(`./peers/${name}.ts`, import.meta.url))];
    await play(name, { command: process.execPath, args }, "/work", "everything");
  });

  it("of real agents (skipped if none is installed)", ({ skip }) => {
    if (agents.length > 0) return;
    console.log(`Not run: the recorder before real agents, because ${reason}.`);
    skip(reason);
  });

  it.each(agents)("of the real agent $name", { timeout: 120_000 }, async (agent) => {
    const model = await startModel();
    const { cwd, spawn, remove } = agent.prepare(model.url);
    try {
      await play(agent.name, spawn, cwd, "PING");
    } finally {
      remove();
      model.close();
    }
  });
});
