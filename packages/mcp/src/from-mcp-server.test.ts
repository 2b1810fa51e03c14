import { describe, expect, it } from "vitest";
import { type Json, ScriptedAgent } from "../test/agent.js";
import { connect } from "../test/connect.js";
import { fromMcpServer } from "./from-mcp-server.js";

interface Transport {
  onmessage?: (message: Json) => void;
  onclose?: () => void;
  start(): Promise<void>;
  send(message: Json, options?: object): Promise<void>;
  close(): Promise<void>;
}

/** A server of the official library, as far as it matters here. */
class FakeServer {
  readonly received: Json[] = [];
  isClosed = false;
  transport: Transport | undefined;
  readonly #answer: (message: Json) => Json | undefined;

  constructor(answer: (message: Json) => Json | undefined = () => ({ result: { content: [] } })) {
    this.#answer = answer;
  }

  async connect(transport: Transport): Promise<void> {
    this.transport = transport;
    transport.onmessage = (message) => {
      this.received.push(message);
      const { id, method } = message;
      const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "f" } };
      const answer = method === "initialize" ? { result } : this.#answer(message);
      if (id !== undefined && method !== undefined && answer !== undefined)
        void transport.send({ jsonrpc: "2.0", id, ...answer });
    };
    await transport.start();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.transport?.close();
  }
}

async function opened(server: FakeServer, create: () => FakeServer = () => server) {
  const pair = await connect({ sources: [fromMcpServer("fake", create)], agent: new ScriptedAgent() });
  const session = await pair.client.newSession({ cwd: "/a" });
  const serverId = pair.agent.declared()[0]?.serverId;
  return { ...pair, session, call: (method: string, params: Json = {}) => pair.agent.call(serverId, method, params) };
}

describe("mcp.from-server: a server on the official library works as a server of the application", () => {
  it("is created at the first request, initialized once, and closed with the session", async () => {
    let created = 0;
    const server = new FakeServer();
    const { call, session } = await opened(server, () => {
      created += 1;
      return server;
    });
    expect(created).toBe(0);
    expect(await call("server/discover")).toMatchObject({
      result: { result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } } },
    });
    expect(await call("tools/call", { name: "x" })).toMatchObject({
      result: { result: { content: [], resultType: "complete" } },
    });
    expect(created).toBe(1);
    expect(server.received.map(({ method }) => method)).toEqual([
      ...["initialize", "notifications/initialized", "tools/call"],
    ]);
    expect(server.received[2]?.params).toEqual({ name: "x" }); // without the members of the other era
    await session.close();
    await expect.poll(() => server.isClosed).toBe(true);
  });

  it("passes errors, and refuses the requests of the server", async () => {
    const error = { code: -32002, message: "No such resource", data: { uri: "x" } };
    const server = new FakeServer(() => ({ error }));
    const { call } = await opened(server);
    expect(await call("resources/read", { uri: "x" })).toMatchObject({ result: { error } });
    await server.transport?.send({ jsonrpc: "2.0", id: 7, method: "sampling/createMessage", params: {} });
    await expect.poll(() => server.received.at(-1)).toMatchObject({ id: 7, error: { code: -32601 } });
  });

  it("reports a server that can't be created, without its text, and tries again at the next request", async () => {
    const server = new FakeServer();
    const failures = [new Error("password=hunter2")];
    const { call, diagnostics } = await opened(server, () => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return server;
    });
    const failed = await call("tools/list");
    expect(failed).toMatchObject({ error: { code: -33002 } });
    expect(JSON.stringify(failed)).not.toContain("hunter2");
    expect(diagnostics).toMatchObject([{ code: "mcp_server_failed", cause: { message: "password=hunter2" } }]);
    expect(await call("tools/list")).toMatchObject({ result: { result: {} } });
  });

  it("settles running calls with an error when the server closes its connection", async () => {
    const server = new FakeServer(() => undefined);
    const { call } = await opened(server);
    const running = call("tools/call", { name: "x" });
    await expect.poll(() => server.received.length).toBe(3);
    await server.close();
    expect(await running).toMatchObject({ result: { error: { code: -32603 } } });
    expect(await call("tools/list")).toMatchObject({ error: { code: -33002 } });
  });
});
