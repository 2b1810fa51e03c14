import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentConnection,
  connectAgent,
  type DecidePermission,
  type Diagnostic,
  type PromptTurn,
  type Session,
} from "@acp-kit/client";
import type { Transport } from "@acp-kit/protocol";
import { checkV1Client } from "@acp-kit/protocol/strict";
import { spawnAgent } from "@acp-kit/stdio/node";
import { bridgeVersions } from "@acp-kit/v2/bridge";
import { workspaceFiles } from "@acp-kit/workspace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { livingIn } from "./peers/process-group.js";
import { type RealAgent, realAgents, startModel } from "./peers/real-agents.js";

const { agents, reason } = realAgents();
if (agents.length === 0) {
  console.log(`Not run: our client with real agents, because ${reason}.`);
  it.skip(`real agents: ${reason}`, () => {});
}

// The agents start slowly, because they load models, settings and plug-ins.
const timeout = 120_000;

/** Returns the text of the agent's messages in a turn. */
async function said(turn: PromptTurn): Promise<{ text: string; stopReason: string; kinds: Set<string> }> {
  let text = "";
  const kinds = new Set<string>();
  for await (const update of turn) {
    kinds.add(update.sessionUpdate);
    if (update.sessionUpdate === "agent_message_chunk")
      text += (update as { content: { text?: string } }).content.text ?? "";
  }
  return { text, stopReason: (await turn.result).stopReason, kinds };
}

/** Each agent alone, and behind a bridge that requests version 2: an agent that has only version 1 chooses it. */
const connections = agents.flatMap((agent) => [
  { ...agent, isBridged: false },
  { ...agent, name: `${agent.name} behind a bridge`, isBridged: true },
]);

describe.each(connections)("our client and $name", { timeout }, (agent) => {
  let model: Awaited<ReturnType<typeof startModel>>;
  let place: ReturnType<RealAgent["prepare"]>;
  let client: AgentConnection;
  let decide: DecidePermission = async () => "allow_once";
  const diagnostics: Diagnostic[] = [];
  const inWorkspace = (name: string): string => join(place.cwd, name);

  const open = (): Transport =>
    agent.isBridged ? bridgeVersions(spawnAgent(place.spawn), { prefer: 2 }) : spawnAgent(place.spawn);
  const start = (): Promise<AgentConnection> =>
    connectAgent(open(), {
      info: { name: "interop", version: "1.0.0" },
      checkOutgoing: checkV1Client,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      permissions: (request, context) => decide(request, context),
      files: workspaceFiles({ missing: agent.missingFileIsEmpty ? "empty" : "error" }),
    });
  const newSession = (): Promise<Session> => client.newSession({ cwd: place.cwd });
  beforeAll(async () => {
    model = await startModel();
    place = agent.prepare(model.url);
    client = await start();
  }, timeout);
  afterAll(async () => {
    await client?.close();
    model?.close();
    place?.remove();
  }, timeout);

  it("new: identifies itself and opens a session", async () => {
    expect(client.protocolVersion).toBe(1);
    expect((await newSession()).sessionId).not.toBe("");
  });

  it("ping: streams text", async () => {
    const session = await newSession();
    expect(await said(session.prompt("PING"))).toMatchObject({
      text: expect.stringContaining("PONG from fake model"),
      stopReason: "end_turn",
    });
  });

  it("twoturns: runs a second turn with a tool call", async () => {
    const session = await newSession();
    await said(session.prompt("PING"));
    const { stopReason, kinds } = await said(session.prompt(`READFILE ${inWorkspace("hello.txt")}`));
    expect(stopReason).toBe("end_turn");
    expect([...kinds].some((kind) => kind.startsWith("tool_call"))).toBe(true);
  });

  it("write: requests permission and writes a file", async () => {
    const asked: unknown[] = [];
    decide = async ({ options }) => {
      asked.push(options);
      return "allow_once";
    };
    const session = await newSession();
    expect(await said(session.prompt(`WRITEFILE ${inWorkspace("out.txt")}`))).toMatchObject({ stopReason: "end_turn" });
    expect(readFileSync(inWorkspace("out.txt"), "utf8")).toBe("written by fake model\n");
    expect(asked).toHaveLength(1);
  });

  it("edit: changes a file", async () => {
    writeFileSync(inWorkspace("edit.txt"), "first\nalpha\nlast\n");
    decide = async () => "allow_once";
    const session = await newSession();
    expect(await said(session.prompt(`EDITFILE ${inWorkspace("edit.txt")}`))).toMatchObject({ stopReason: "end_turn" });
    expect(readFileSync(inWorkspace("edit.txt"), "utf8")).toBe("first\nomega\nlast\n");
  });

  it("run: runs a command", async () => {
    decide = async () => "allow_once";
    const session = await newSession();
    await said(session.prompt("RUN echo run-ok > ran.txt; cat ran.txt"));
    expect(readFileSync(inWorkspace("ran.txt"), "utf8")).toBe("run-ok\n");
  });

  it("cancel: ends the turn while it streams, and runs the next prompt", async () => {
    const session = await newSession();
    const turn = session.prompt("SLOW");
    for await (const update of turn) if (update.sessionUpdate === "agent_message_chunk") turn.cancel();
    await expect(turn.result).resolves.toMatchObject({ stopReason: "cancelled" });
    expect((await said(session.prompt("PING"))).text).toContain("PONG");
  });

  it("write-cancel: ends the turn during a permission request, and writes nothing", async () => {
    let turn: PromptTurn | undefined;
    let signal: AbortSignal | undefined;
    decide = (_request, context) => {
      signal = context.signal;
      turn?.cancel();
      return new Promise(() => {});
    };
    const session = await newSession();
    turn = session.prompt(`WRITEFILE ${inWorkspace("never.txt")}`);
    const { stopReason } = await said(turn);
    expect(stopReason).toMatch(/^(cancelled|end_turn)$/);
    expect(signal?.aborted).toBe(true);
    expect(existsSync(inWorkspace("never.txt"))).toBe(false);
  });

  it("multi: runs two sessions concurrently", async () => {
    const [one, two] = [await newSession(), await newSession()];
    const results = await Promise.all([
      said(one.prompt("PING")),
      said(two.prompt(`READFILE ${inWorkspace("hello.txt")}`)),
    ]);
    expect(results.map(({ stopReason }) => stopReason)).toEqual(["end_turn", "end_turn"]);
    expect(results[0]?.text).toContain("PONG");
    expect(results[1]?.text).not.toContain("PONG");
  });

  it("load: another process replays the session and continues it", async () => {
    const { sessionId } = await newSession();
    await said((client.session(sessionId) as Session).prompt("PING"));
    await client.close();
    client = await start();
    const replayedUpdates: string[] = [];
    const loading = client.loadSession(
      { sessionId, cwd: place.cwd },
      { onUpdate: (update, { replayed }) => void (replayed && replayedUpdates.push(JSON.stringify(update))) },
    );
    if (!agent.scenarios.includes("load")) {
      // The agent advertises `loadSession`, but mostly rejects the request.
      const rejected = await loading.then(
        () => undefined,
        (error) => error,
      );
      if (rejected !== undefined) expect(rejected).toMatchObject({ name: "RpcError" });
      expect((await said((await newSession()).prompt("PING"))).stopReason).toBe("end_turn");
      return;
    }
    const session = await loading;
    expect(replayedUpdates.join("\n")).toContain("PING");
    expect(replayedUpdates.join("\n")).toContain("PONG");
    expect(await said(session.prompt("PING"))).toMatchObject({ stopReason: "end_turn" });
  });

  it("end: leaves no process after the connection is closed, during a turn or not", async () => {
    for (const prompt of [undefined, "SLOW"]) {
      const process = spawnAgent(place.spawn);
      const connection = await connectAgent(process);
      const group = process.pid ?? 0;
      expect(livingIn(group)).not.toEqual([]);
      if (prompt !== undefined) {
        const turn = (await connection.newSession({ cwd: place.cwd })).prompt(prompt);
        for await (const update of turn) if (update.sessionUpdate === "agent_message_chunk") break;
      }
      await connection.close();
      expect(livingIn(group)).toEqual([]);
    }
  });

  it("sent only messages that our client could decode", () => {
    // Agents may send notifications of their own. All other messages match the schema.
    // Each known deviation has a compatibility rule with a name and a test.
    const known = ["unknown_notification", "dialect"];
    expect(diagnostics.filter(({ code }) => !known.includes(code))).toEqual([]);
  });
});
