import { afterEach, describe, expect, test } from "vitest";
import { cuttable } from "../test/cuttable-engine.js";
import { ManualClock } from "../test/manual-clock.js";
import { type RawAgent, resumes } from "../test/raw-agent.js";
import type { RawClient } from "../test/raw-client.js";
import { ann, bob, Rig, settled } from "../test/rig.js";
import { memoryEngine } from "./index.js";

const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

async function startedRig(): Promise<Rig> {
  const rig = await Rig.start({
    agent: { ...resumes, capabilities: { ...resumes.capabilities, mcpCapabilities: { acp: true } } },
  });
  rigs.push(rig);
  return rig;
}

const server = (serverId: string) => ({ type: "acp", name: serverId, serverId });

/** Opens a session with a server that the client serves. */
async function served(rig: Rig, client: RawClient, serverId: string): Promise<RawAgent> {
  await client.newSession({ mcpServers: [server(serverId)] });
  return rig.agent;
}

const call = (agent: RawAgent, serverId: string, requestId = "1", signal?: AbortSignal) =>
  agent.connection.request("mcp/message", { serverId, requestId, method: "tools/list" }, { ...(signal && { signal }) });

const gone = { code: -33001 };

describe("gateway.mcp-servers: an agent's call reaches the connection that serves the MCP server, once", () => {
  test("with its notifications and its cancellation, and nothing of it is in the journal", async () => {
    const rig = await startedRig();
    const client = await rig.client();
    const { sessionId } = await client.request("session/new", { cwd: "/work", mcpServers: [server("s")] });
    const { agent } = rig;
    const response = call(agent, "s");
    await client.until(() => client.requests.length === 1);
    const [request] = client.requests;
    expect(request?.params).toEqual({ serverId: "s", requestId: "1", method: "tools/list" });
    const progress = { serverId: "s", requestId: "1", method: "notifications/progress", params: { progress: 1 } };
    await client.connection.notify("mcp/message", progress);
    await client.connection.notify("mcp/message", { ...progress, requestId: "other" });
    await settled();
    request?.respond({ result: { tools: [] } });
    expect(await response).toEqual({ result: { tools: [] } });
    await client.connection.notify("mcp/message", progress); // late
    await settled();
    expect(agent.received.filter(({ method }) => method === "mcp/message").map(({ params }) => params)).toEqual([
      progress,
    ]);
    const cancel = new AbortController();
    const cancelled = call(agent, "s", "2", cancel.signal);
    await client.until(() => client.requests.length === 2);
    cancel.abort();
    await client.until(() => client.requests[1]?.signal.aborted === true);
    await expect(cancelled).rejects.toThrow();
    const key = { scope: ann, sessionId: String(sessionId) };
    const page = await rig.engine.read(key, undefined, { maxEntries: 100, maxChars: 100_000 });
    expect(JSON.stringify(page)).not.toContain("mcp/message");
  });

  test("and servers of other clients, of other principals or of other agents are unavailable", async () => {
    const rig = await startedRig();
    const [own, other, stranger] = [await rig.client(), await rig.client(), await rig.client(bob)];
    const agents = [
      await served(rig, own, "ann"),
      await served(rig, other, "other"),
      await served(rig, stranger, "bob"),
    ];
    for (const [index, serverId] of ["other", "bob", "ann", "unknown", "__proto__"].entries())
      await expect(call(agents[index % 3] as RawAgent, index === 2 ? "ann" : serverId)).rejects.toMatchObject(gone);
    expect([...own.requests, ...other.requests, ...stranger.requests]).toEqual([]);
  });

  test("and a server with an id of 10,000 characters, which would stay in memory, is unavailable", async () => {
    const rig = await startedRig();
    const id = "s".repeat(10_000);
    const agent = await served(rig, await rig.client(), id);
    await expect(call(agent, id)).rejects.toMatchObject(gone);
  });

  test("and is never sent to a second connection: after a break it fails, and later calls reach the new connection", async () => {
    const rig = await startedRig();
    const client = await rig.client();
    const sessionId = await client.newSession({ mcpServers: [server("s")] });
    const { agent } = rig;
    const running = call(agent, "s");
    await client.until(() => client.requests.length === 1);
    const again = await rig.client();
    await again.request("session/resume", { sessionId, cwd: "/work", mcpServers: [server("s")] });
    await client.connection.close();
    await expect(running).rejects.toMatchObject(gone);
    expect(again.requests).toEqual([]);
    const later = call(agent, "s");
    await again.until(() => again.requests.length === 1);
    again.requests[0]?.respond({ result: {} });
    expect(await later).toEqual({ result: {} });
    await again.connection.close();
    await settled();
    await expect(call(agent, "s")).rejects.toMatchObject(gone);
  });

  test("and an agent that ends and is started again gets the same servers: a running call is cancelled, later ones arrive", async () => {
    const rig = await startedRig();
    const client = await rig.client();
    const sessionId = await client.newSession({ mcpServers: [server("s")] });
    const first = await rig.turn(client, sessionId);
    const before = rig.agent;
    const running = call(before, "s");
    running.catch(() => {});
    await client.until(() => client.requests.length === 1);
    rig.agents.at(-1)?.kill();
    await client.until(() => client.requests[0]?.signal.aborted === true);
    await expect(running).rejects.toThrow();
    await expect(first.response).rejects.toMatchObject({ data: { reason: "agent_failed" } });
    const { turn, response } = await rig.turn(client, sessionId, "again");
    const resumed = rig.agent.received.find(({ method }) => method === "session/resume");
    expect(resumed?.params.mcpServers).toEqual([server("s")]);
    const later = call(rig.agent, "s"); // with the id of the earlier call
    await client.until(() => client.requests.length === 2);
    client.requests[1]?.respond({ result: {} });
    expect(await later).toEqual({ result: {} });
    turn.end();
    await response;
    expect(rig.agent).not.toBe(before);
  });

  test("and tokens, variables and ids of servers are neither in the journal, the record of the session nor in events", async () => {
    const rig = await startedRig();
    const client = await rig.client();
    const mcpServers = [
      server("id-1f0c"),
      { type: "http", name: "h", url: "http://127.0.0.1:1/path-7d3a", headers: [{ name: "A", value: "token-9b2e" }] },
      { name: "p", command: "p", args: ["argument-5e8f"], env: [{ name: "KEY", value: "variable-3c6d" }] },
    ];
    const sessionId = await client.newSession({ mcpServers });
    const { turn, response } = await rig.turn(client, sessionId);
    turn.say("hello");
    const called = call(rig.agent, "id-1f0c");
    await client.until(() => client.requests.length === 1);
    client.requests[0]?.respond({ result: {} });
    await called;
    turn.end();
    await response;
    const key = { scope: ann, sessionId };
    const page = await rig.engine.read(key, undefined, { maxEntries: 1_000, maxChars: 1_000_000 });
    const stored = JSON.stringify([page, await rig.engine.find(key), rig.events]);
    expect(stored).toContain("hello");
    for (const secret of ["id-1f0c", "path-7d3a", "token-9b2e", "argument-5e8f", "variable-3c6d"])
      expect(stored).not.toContain(secret);
    expect(JSON.stringify(rig.agent.received)).toContain("variable-3c6d"); // the agent has them
  });

  test("and the earlier form with connections is refused, and reaches no client and no journal", async () => {
    const rig = await startedRig();
    const client = await rig.client();
    const agent = await served(rig, client, "s");
    for (const method of ["mcp/connect", "mcp/disconnect"])
      await expect(agent.connection.request(method, { serverId: "s", sessionId: "agent-1" })).rejects.toMatchObject({
        code: -32601,
      });
    expect(client.requests).toEqual([]);
  });

  test("and calls with ids in use, above the limit or without ids get typed errors", async () => {
    const rig = await startedRig();
    const client = await rig.client();
    const agent = await served(rig, client, "s");
    const running = Array.from({ length: 64 }, (_, n) => call(agent, "s", String(n)));
    await client.until(() => client.requests.length === 64);
    await expect(call(agent, "s", "0")).rejects.toMatchObject({ code: -32602 });
    await expect(call(agent, "s", "more")).rejects.toMatchObject({ code: -33000 });
    await expect(agent.connection.request("mcp/message", { serverId: 1 })).rejects.toMatchObject({ code: -32602 });
    for (const request of client.requests) request.respond({ result: {} });
    await Promise.all(running);
  });
});

/**
 * A session whose agent runs on the first of two replicas, and whose client serves "s" and is connected to the second.
 */
async function apart({ onResume = () => {} }: { onResume?: (agent: RawAgent) => void } = {}) {
  const clock = new ManualClock();
  const shared = memoryEngine({ now: () => clock.now() });
  const { engine, cut } = cuttable(shared);
  const knows = (): boolean => {
    onResume(first.agent);
    return true;
  };
  const agent = { ...resumes, knows, capabilities: { ...resumes.capabilities, mcpCapabilities: { acp: true } } };
  const times = { leaseMs: 3_000 };
  const first = await Rig.start({ clock, engine: shared, agent, times });
  const second = await Rig.start({ clock, engine, agent, times });
  rigs.push(first, second);
  const before = await first.client();
  const sessionId = await before.newSession({ mcpServers: [server("s")] });
  await before.connection.close();
  const client = await second.client();
  const resume = { sessionId, cwd: "/work", mcpServers: [server("s")] };
  await client.request("session/resume", resume);
  await clock.advance(0);
  return { clock, cut, shared, first, second, client, resume, sessionId, agent: first.agent };
}

describe("gateway.mcp-elsewhere: an agent's call reaches a client that is connected to another replica, once", () => {
  test("with its notifications and its cancellation, and nothing of it is in the journal", async () => {
    const { clock, shared, agent, client, second, sessionId } = await apart();
    const prompt = client.prompt(sessionId, "go"); // otherwise the session sleeps
    await clock.advance(0);
    const response = call(agent, "s");
    await client.until(() => client.requests.length === 1);
    expect(client.requests[0]?.params).toEqual({ serverId: "s", requestId: "1", method: "tools/list" });
    const progress = { serverId: "s", requestId: "1", method: "notifications/progress", params: { progress: 1 } };
    await client.connection.notify("mcp/message", progress);
    await client.connection.notify("mcp/message", { ...progress, requestId: "other" });
    await clock.advance(600_000); // a tool may wait for a person
    client.requests[0]?.respond({ result: { tools: [] } });
    expect(await response).toEqual({ result: { tools: [] } });
    await client.connection.notify("mcp/message", progress); // late
    await clock.advance(10_000);
    const received = agent.received.filter(({ method }) => method === "mcp/message");
    expect(received.map(({ params }) => params)).toEqual([progress]);
    const cancel = new AbortController();
    const cancelled = expect(call(agent, "s", "2", cancel.signal)).rejects.toThrow();
    await client.until(() => client.requests.length === 2);
    cancel.abort();
    await client.until(() => client.requests[1]?.signal.aborted === true);
    await cancelled;
    const other = await second.client();
    await other.resume(sessionId);
    agent.turns[0]?.end();
    await Promise.all([prompt, clock.advance(1_000)]);
    const page = await shared.read({ scope: ann, sessionId }, undefined, { maxEntries: 100, maxChars: 100_000 });
    expect(JSON.stringify(page)).not.toContain("mcp/message");
    expect([client.requests.length, other.requests.length]).toEqual([2, 0]);
  });

  test("also if it is sent while the agent opens the session, and in turns of another client", async () => {
    const calls: Promise<unknown>[] = [];
    const onResume = (started: RawAgent): void => void calls.push(call(started, "s"));
    const { clock, first, client, second, resume, sessionId } = await apart({ onResume });
    first.agents.at(-1)?.kill();
    await clock.advance(0);
    const other = await first.client();
    await other.resume(sessionId);
    const prompt = client.prompt(sessionId, "go");
    await clock.advance(0);
    const started = first.agents.at(-1)?.agent as RawAgent;
    expect(started.received.find(({ method }) => method === "session/resume")?.params.mcpServers).toEqual(
      resume.mcpServers,
    );
    await client.until(() => client.requests.length === 1);
    client.requests[0]?.respond({ result: {} });
    expect(await calls[0]).toEqual({ result: {} });
    started.turns[0]?.end();
    await clock.advance(1_000);
    await prompt;
    const { turn } = await first.turn(other, sessionId, "again");
    const later = call(started, "s", "2");
    await client.until(() => client.requests.length === 2);
    client.requests[1]?.respond({ result: {} });
    expect(await later).toEqual({ result: {} });
    turn.end();
    expect(other.requests).toEqual([]);
    expect(second.agents.flatMap(({ agent }) => agent.methods())).toEqual(["initialize"]);
  });

  test("and fails when the client or its replica ends, and is executed once when the engine fails", async () => {
    const { clock, cut, agent, client, second, resume } = await apart();
    const running = call(agent, "s");
    await client.until(() => client.requests.length === 1);
    cut(true); // the replica of the client can send no reply
    client.requests[0]?.respond({ result: { once: true } });
    await clock.advance(2_000);
    cut(false);
    expect((await Promise.all([running, clock.advance(10_000)]))[0]).toEqual({ result: { once: true } });
    const broken = call(agent, "s", "2");
    await client.until(() => client.requests.length === 2);
    await client.connection.close();
    await expect(broken).rejects.toMatchObject(gone);
    await expect(call(agent, "s", "3")).rejects.toMatchObject(gone);
    const again = await second.client();
    await again.request("session/resume", resume);
    await clock.advance(0);
    const last = call(agent, "s", "4");
    await again.until(() => again.requests.length === 1);
    cut(true);
    const failed = expect(last).rejects.toMatchObject(gone);
    await clock.advance(60_000); // the membership of the replica ends
    await failed;
    expect(client.requests).toHaveLength(2);
  });

  test("and calls with ids in use and above the limit get typed errors, and other principals reach nothing", async () => {
    const { first, agent, client } = await apart();
    const stranger = await served(first, await first.client(bob), "bob");
    await expect(call(stranger, "s")).rejects.toMatchObject(gone);
    const running = Array.from({ length: 64 }, (_, n) => call(agent, "s", String(n)));
    await client.until(() => client.requests.length === 64);
    await expect(call(agent, "s", "0")).rejects.toMatchObject({ code: -32602 });
    await expect(call(agent, "s", "more")).rejects.toMatchObject({ code: -33000 });
    for (const request of client.requests) request.respond({ result: {} });
    await Promise.all(running);
  });
});
