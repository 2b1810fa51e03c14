import { afterEach, describe, expect, test } from "vitest";
import { type RawAgent, resumes } from "../test/raw-agent.js";
import type { RawClient } from "../test/raw-client.js";
import { ann, bob, Rig, settled } from "../test/rig.js";

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
