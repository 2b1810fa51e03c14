import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { type Diagnostic, linkedTransports, type Message, type Transport } from "@acp-kit/jsonrpc";
import { mcpTools, serveMcp } from "@acp-kit/mcp";
import { v2 } from "@acp-kit/v2/client";
import { afterEach, describe, expect, it } from "vitest";
import { type Json, ScriptedAgent } from "../../test/agent.js";
import { localAgent } from "../../test/local-agent.js";
import { serve } from "./bridge.examples.js";
import { mcpBridge } from "./mcp-bridge.js";

const clients: AgentConnection[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const aborted: string[] = [];
const tools = mcpTools("page", {
  where: { description: "Returns the folder", run: (_, { session }) => session.cwd },
  wait: {
    description: "Runs until it is aborted",
    run: (_, { signal, progress }) => {
      progress(1, 2, "waiting");
      return new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason.message)));
    },
  },
});

/** A client that serves its tools over its connection, as a page does, in front of an agent with a bridge. */
async function opened(agent: ScriptedAgent) {
  const client = await connectAgent(mcpBridge()(agent.client), {
    mcp: serveMcp(tools),
    info: { name: "page", version: "1" },
    versions: [v2],
  });
  clients.push(client);
  const session = await client.newSession({ cwd: "/a" });
  return { client, session };
}

function post(server: Json | undefined, method: string, params: Json, accept = "application/json"): Promise<Response> {
  const headers = (server?.headers ?? []) as { name: string; value: string }[];
  return fetch(String(server?.url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept,
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: "call", method, params }),
  });
}

const result = async (response: Promise<Response>): Promise<Json> => (await (await response).json()) as Json;

describe("mcp.remote: a bridge beside the agent forwards its calls to the client that serves the tools", () => {
  it.each([
    ["version 1 with http", { http: true }, "http", undefined],
    ["version 1 with stdio", {}, undefined, undefined],
    ["version 2 with http", undefined, "http", { http: {} }],
    ["version 2 with stdio", undefined, "stdio", { stdio: {} }],
  ])("an agent of %s gets an address, and the client sees the capability acp", async (_, first, type, second) => {
    const agent = localAgent(first ?? {});
    if (second !== undefined)
      agent.results.initialize = () => ({
        protocolVersion: 2,
        info: { name: "a", version: "1" },
        capabilities: { session: { mcp: second } },
      });
    const { client } = await opened(agent);
    expect(client.protocolVersion).toBe(second === undefined ? 1 : 2);
    const [server, ...more] = agent.declared();
    expect(more).toEqual([]);
    expect(server).toMatchObject({ name: "page" });
    expect(server?.type).toBe(type);
    if (type !== "http") return;
    expect(await result(post(server, "tools/call", { name: "where" }))).toMatchObject({
      result: { content: [{ text: "/a" }] },
    });
    expect(await result(post(server, "tools/call", { name: "missing" }))).toMatchObject({ error: { code: -32602 } });
  });

  it("forwards progress and cancellation", async () => {
    const agent = localAgent({ http: true });
    await opened(agent);
    const [server] = agent.declared();
    const params = { name: "wait", _meta: { progressToken: "p" } };
    const response = await post(server, "tools/call", params, "text/event-stream");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('"progressToken":"p","progress":1,"total":2');
    await reader?.cancel();
    await expect.poll(() => aborted).toEqual(["The agent cancelled the call"]);
  });

  it("keeps the address as long as the session has the same server, and closes it with the session", async () => {
    const agent = localAgent({ http: true });
    const { client, session } = await opened(agent);
    const { sessionId } = session;
    const before = agent.declared();
    await client.resumeSession({ sessionId, cwd: "/a" });
    expect(agent.declared("session/resume")).toEqual(before);
    const other = { type: "acp", name: "page", serverId: "other" };
    await client.peer.connection.request("session/resume", { sessionId, cwd: "/a", mcpServers: [other] });
    await client.close();
    await expect(post(before[0], "tools/list", {})).rejects.toThrow();
  });

  it("leaves everything as it is for an agent with acp, and for one that does not run on this machine", async () => {
    for (const agent of [localAgent({ acp: true }), localAgent({ http: true }, "/usr/bin/docker")]) {
      const client = await connectAgent(mcpBridge()(agent.client));
      clients.push(client);
      const server = { type: "acp", name: "own", serverId: "own" };
      await client.peer.connection.request("session/new", { cwd: "/a", mcpServers: [server] });
      expect(agent.declared()).toEqual([server]);
    }
  });

  it("gives each call its own result, whatever the client responds for others", async () => {
    const agent = localAgent({ http: true });
    const transport = mcpBridge()(agent.client);
    const received: Json[] = [];
    const message = (value: unknown): void => void received.push(value as Json);
    transport.start({ message, malformed() {}, ended() {}, failed() {} });
    const send = (sent: Json): void => void transport.send({ jsonrpc: "2.0", ...sent } as unknown as Message);
    send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
    await expect.poll(() => received.length).toBe(1);
    const mcpServers = [{ type: "acp", name: "page", serverId: "page" }];
    send({ id: 2, method: "session/new", params: { cwd: "/a", mcpServers } });
    await expect.poll(() => received.length).toBe(2);
    const calls = ["first", "second"].map((name) => result(post(agent.declared()[0], "tools/call", { name })));
    await expect.poll(() => received.length).toBe(4);
    const ids = received.slice(2).map(({ id, params }) => ({ id, name: (params as { params: Json }).params.name }));
    const respond = (id: unknown, text: unknown): void => send({ id, result: { result: { content: [{ text }] } } });
    respond("mcp-unknown-1", "stray");
    for (const { id, name } of ids.reverse()) {
      respond(id, name);
      respond(id, "again");
    }
    expect(await Promise.all(calls)).toMatchObject([
      { result: { content: [{ text: "first" }] } },
      { result: { content: [{ text: "second" }] } },
    ]);
    await transport.close();
  });

  it("gives a session 256 servers with ids of at most 1,024 characters, leaves the others out and says so", async () => {
    const agent = localAgent({ http: true });
    const reported: Diagnostic[] = [];
    const bridge = mcpBridge({ onDiagnostic: (diagnostic) => reported.push(diagnostic) });
    const client = await connectAgent(bridge(agent.client));
    clients.push(client);
    const calls: unknown[] = [];
    client.peer.connection.onRequest("mcp/message", (params) => {
      calls.push(params);
      return { result: { tools: [] } };
    });
    const server = (name: string, serverId = name): Json => ({ type: "acp", name, serverId });
    const own = { type: "http", name: "own", url: "http://127.0.0.1:1/own", headers: [] };
    const many = Array.from({ length: 300 }, (_, n) => server(`s${n}`));
    const long = [server("a".repeat(1_025)), server("long", "a".repeat(1_025))];
    const open = (mcpServers: Json[]): Promise<unknown> =>
      client.peer.connection.request("session/new", { cwd: "/a", mcpServers });
    await open([...long, ...many, own]);
    expect(agent.declared().map(({ name }) => name)).toEqual(["own", ...many.slice(0, 256).map(({ name }) => name)]);
    expect(reported).toEqual([
      {
        code: "mcp_server_left_out",
        message: "MCP servers were left out (2): their names or ids have more than 1024 characters",
        data: { count: 2 },
      },
      {
        code: "mcp_server_left_out",
        message: "MCP servers were left out (44): a session can have at most 256 servers of its client",
        data: { count: 44 },
      },
    ]);
    expect(await result(post(agent.declared()[256], "tools/list", {}))).toMatchObject({ result: { tools: [] } });
    await open([server("other", "b".repeat(1_024))]);
    expect(await result(post(agent.declared()[0], "tools/list", {}))).toMatchObject({ result: { tools: [] } });
    expect(calls).toMatchObject([{ serverId: "s255" }, { serverId: "b".repeat(1_024) }]);
    expect(reported).toHaveLength(2);
  });

  it("forwards messages as text as long as no session has such servers", async () => {
    const [near, far] = linkedTransports();
    const passed: string[] = [];
    const receivers: Parameters<Transport["start"]>[0][] = [];
    const start = near.start.bind(near);
    const agent = mcpBridge()(
      Object.assign(near, {
        command: "agent",
        start: (receiver: Parameters<Transport["start"]>[0]) => {
          receivers.push(receiver);
          start(receiver);
        },
      }),
    );
    new ScriptedAgent({ http: true }, [agent, far]);
    const messages: unknown[] = [];
    const text = (line: string): boolean => passed.push(line) > 0;
    agent.start({ message: (value) => messages.push(value), text, malformed() {}, ended() {}, failed() {} });
    const request = async (id: number, method: string, params: object): Promise<void> => {
      const count = messages.length;
      agent.send({ jsonrpc: "2.0", id, method, params } as Message);
      await expect.poll(() => messages.length).toBe(count + 1);
    };
    const [receiver] = receivers;
    await request(1, "initialize", { protocolVersion: 1 });
    expect(receiver?.text?.("{}", 2)).toBe(true);
    const server = { type: "acp", name: "page", serverId: "page" };
    await request(2, "session/new", { cwd: "/a", mcpServers: [server] });
    expect(receiver?.text?.("{}", 2)).toBe(false);
    await agent.close();
    expect(passed).toEqual(["{}"]);
  });
});

it("the example of the README serves an agent at a URL", async () => {
  const server = await serve(process.execPath, ["-e", ""], "token-0123456789-abcdef");
  expect(server.url).toMatch(/^http:/);
  await server.close();
});
