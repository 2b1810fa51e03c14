import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { clientTransport, mcpTools, serveMcp, ToolError } from "@acp-kit/mcp";
import { linkedTransports, toMessageStream } from "@acp-kit/protocol";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@modelcontextprotocol/server";
import { McpOverAcpHttpBridge, type McpServerHttpDeclaration } from "sdk-2/experimental/mcp-http";
import { fromMcpServer } from "sdk-2/experimental/mcp-server";
import {
  type AgentContext,
  agent,
  client,
  McpOverAcpCaller,
  McpOverAcpProvider,
  methods,
  RequestError,
} from "sdk-2/unstable";
import { expect, it } from "vitest";
import { z } from "zod";

const info = { name: "test", version: "1.0.0" };
const aborted: unknown[] = [];
const tools = mcpTools("desk", {
  add: {
    description: "Adds numbers",
    input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    run: ({ a, b }, { session, progress }) => {
      progress(1, 1, "added");
      return { sum: Number(a) + Number(b), cwd: session.cwd };
    },
  },
  refuse: {
    description: "Refuses",
    run: () => {
      throw new ToolError("Not today.");
    },
  },
  wait: {
    description: "Waits until it is cancelled",
    run: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason))),
  },
});

/** An agent on the official SDK whose turns call the tools of the client with the helpers of the SDK. */
async function opened(onPrompt: (call: Call, bridged: () => Promise<McpServerHttpDeclaration>) => Promise<void>) {
  const caller = new McpOverAcpCaller({ clientInfo: { name: "sdk", version: "1" } });
  const servers: { serverId: string; name: string; type: string }[] = [];
  const app = agent({ name: "sdk-2" })
    .onRequest(
      "initialize",
      () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { acp: true } } }) as never,
    )
    .onRequest("session/new", ({ params }) => {
      servers.push(...(params.mcpServers as never[]));
      return { sessionId: "s" };
    })
    .onNotification(methods.agent.mcp.message as never, caller.handleNotification as never)
    .onRequest("session/prompt", async ({ client }) => {
      await onPrompt(
        (method, params, options) =>
          caller.request(client as AgentContext, servers[0]?.serverId ?? "", method, params, options),
        () => new McpOverAcpHttpBridge(caller).toHttp(client as AgentContext, servers[0] as never),
      );
      return { stopReason: "end_turn" };
    });
  const [clientSide, agentSide] = linkedTransports();
  app.connect(toMessageStream(agentSide) as never);
  const client = await connectAgent(clientSide, { mcp: serveMcp(tools) });
  const session = await client.newSession({ cwd: "/work" });
  return { client, session, servers };
}

type Call = (
  method: string,
  params?: Record<string, unknown>,
  options?: Parameters<McpOverAcpCaller["request"]>[4],
) => ReturnType<McpOverAcpCaller["request"]>;

it("mcp.sdk: the caller of the official SDK discovers, lists and calls tools, with progress, errors and cancellation", async () => {
  const outcomes: unknown[] = [];
  const notifications: unknown[] = [];
  const { client, session, servers } = await opened(async (call) => {
    outcomes.push(await call("server/discover"));
    outcomes.push(await call("tools/list"));
    const params = { name: "add", arguments: { a: 1, b: 2 }, _meta: { progressToken: "p" } };
    outcomes.push(await call("tools/call", params, { onNotification: (each) => notifications.push(each) }));
    outcomes.push(await call("tools/call", { name: "refuse" }));
    outcomes.push(await call("tools/call", { name: "missing" }));
    const controller = new AbortController();
    const waiting = call("tools/call", { name: "wait" }, { signal: controller.signal });
    await call("tools/list");
    controller.abort();
    outcomes.push(await waiting.catch((error: { code: number }) => error.code));
  });
  await session.prompt("go").result;
  expect(servers).toMatchObject([{ type: "acp", name: "desk" }]);
  expect(outcomes).toMatchObject([
    { result: { supportedVersions: ["2026-07-28"] } },
    { result: { tools: [{ name: "add" }, { name: "refuse" }, { name: "wait" }] } },
    { result: { structuredContent: { sum: 3, cwd: "/work" } } },
    { result: { isError: true, content: [{ text: "Not today." }] } },
    { error: { code: -32602 } },
    -32800,
  ]);
  expect(notifications).toMatchObject([
    { method: "notifications/progress", params: { progress: 1, message: "added" } },
  ]);
  expect(aborted).toHaveLength(1);
  await client.close();
});

it("mcp.sdk: a server of an ended session is unavailable to the caller of the official SDK", async () => {
  let late: Call | undefined;
  const { client, session } = await opened(async (call) => {
    late = call;
  });
  await session.prompt("go").result;
  await session.close();
  await expect(late?.("tools/list")).rejects.toMatchObject({ code: -33001 });
  await client.close();
});

it("mcp.sdk: a server of the official SDK's provider works with clientTransport and the official MCP client", async () => {
  const provider = new McpOverAcpProvider();
  const seen: unknown[] = [];
  const served = fromMcpServer(() => {
    const server = new McpServer({ name: "theirs", version: "1.0.0" });
    server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    return server;
  });
  const [clientSide, agentSide] = linkedTransports();
  createAgent({
    info: { name: "ours", version: "1.0.0" },
    mcpTransports: { acp: true },
    async newSession({ mcpServers }, { connection }) {
      const mcp = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      await mcp.connect(clientTransport(connection, mcpServers[0] as object));
      seen.push((await mcp.listTools()).tools.map(({ name }) => name));
      seen.push((await mcp.callTool({ name: "add", arguments: { a: 1, b: 2 } })).content);
      seen.push(await mcp.callTool({ name: "missing" }).catch((error: { code: number }) => error.code));
      await mcp.close();
      return { sessionId: "s" };
    },
    prompt: async () => {},
  }).connect(agentSide);
  const connection = client({ name: "sdk-2" })
    .onRequest(methods.client.mcp.message as never, provider.handleRequest as never)
    .connect(toMessageStream(clientSide) as never);
  const registration = provider.registerServer(connection.agent, { name: "theirs", handler: served.handler });
  await connection.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} } as never);
  const params = { cwd: "/work", mcpServers: [registration.declaration] };
  await connection.agent.request("session/new", params as never);
  expect(seen).toEqual([["add"], [{ type: "text", text: "3" }], -32602]);
  await served.close();
  connection.close();
});

it("mcp.sdk: the HTTP bridge of the official SDK serves our tools to the official MCP client", async () => {
  const outcomes: unknown[] = [];
  const { client: connection, session } = await opened(async (_, bridged) => {
    const { url, headers } = await bridged();
    const mcp = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const requestInit = { headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) };
    await mcp.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    outcomes.push((await mcp.listTools()).tools.map(({ name }) => name));
    outcomes.push((await mcp.callTool({ name: "add", arguments: { a: 1, b: 2 } })).structuredContent);
    await mcp.close();
  });
  await session.prompt("go").result;
  expect(outcomes).toEqual([["add", "refuse", "wait"], { sum: 3, cwd: "/work" }]);
  await connection.close();
});

// No released library that speaks the earlier form can be installed here, and a recording would be one of ours. So an
// agent on the official SDK sends the messages that the Rust SDK and agents on it send, and validates what JSON-RPC
// fixes of the responses.
it("mcp.connections: an agent on the official SDK uses tools in the earlier form, with connections", async () => {
  const outcomes: unknown[] = [];
  const notifications: unknown[] = [];
  const [clientSide, agentSide] = linkedTransports();
  const servers: { serverId: string }[] = [];
  agent({ name: "sdk-2" })
    .onRequest(
      "initialize",
      () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { acp: true } } }) as never,
    )
    .onRequest("session/new", ({ params }) => {
      servers.push(...(params.mcpServers as never[]));
      return { sessionId: `s${servers.length}` };
    })
    .onRequest("session/close", () => ({}))
    .onNotification(
      "mcp/message" as never,
      ((params: unknown) => params) as never,
      (({ params }: { params: unknown }) => void notifications.push(params)) as never,
    )
    .onRequest("session/prompt", async ({ client }) => {
      const send = client.request as unknown as (
        method: string,
        params: object,
        options?: { cancellationSignal?: AbortSignal },
      ) => Promise<{ connectionId: string }>;
      const request: typeof send = (...args) => send.apply(client, args);
      const code = (error: { code: number }): number => error.code;
      const [server] = servers;
      const { connectionId } = await request("mcp/connect", { serverId: server?.serverId });
      const call = (
        method: string,
        params?: object,
        options?: { cancellationSignal?: AbortSignal },
      ): Promise<unknown> => request("mcp/message", { connectionId, method, ...(params && { params }) }, options);
      const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "rust", version: "1" } };
      outcomes.push(await call("initialize", hello));
      await client.notify("mcp/message" as never, { connectionId, method: "notifications/initialized" } as never);
      outcomes.push(await call("tools/list"));
      const input = { name: "add", arguments: { a: 1, b: 2 }, _meta: { progressToken: "p" } };
      outcomes.push(await call("tools/call", input));
      outcomes.push(await call("tools/call", { name: "refuse" }));
      outcomes.push(await call("tools/call", { name: "missing" }).catch(code));
      outcomes.push(await request("mcp/connect", { acpId: "unknown" }).catch(code));
      const same = await request("mcp/connect", { acpId: server?.serverId });
      outcomes.push(same.connectionId !== connectionId);
      const begun = aborted.length;
      const cancel = new AbortController();
      const cancelled = call("tools/call", { name: "wait" }, { cancellationSignal: cancel.signal }).catch(code);
      const disconnected = call("tools/call", { name: "wait" }).catch(code);
      await call("ping");
      cancel.abort();
      outcomes.push(await cancelled);
      outcomes.push(await request("mcp/disconnect", { connectionId }));
      outcomes.push(await disconnected, aborted.length - begun);
      outcomes.push(await call("ping").catch(code));
      outcomes.push(await request("mcp/disconnect", { connectionId }).catch(code));
      return { stopReason: "end_turn" };
    })
    .connect(toMessageStream(agentSide) as never);
  const client = await connectAgent(clientSide, { mcp: serveMcp(tools) });
  const session = await client.newSession({ cwd: "/work" });
  expect(await session.prompt("go").result).toEqual({ stopReason: "end_turn" });
  expect(outcomes).toMatchObject([
    { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "desk" } },
    { tools: [{ name: "add" }, { name: "refuse" }, { name: "wait" }] },
    { structuredContent: { sum: 3, cwd: "/work" } },
    { isError: true, content: [{ text: "Not today." }] },
    -32602,
    -33001,
    true,
    -32800,
    {},
    -32800,
    2,
    -33001,
    -33001,
  ]);
  expect(notifications).toMatchObject([
    { method: "notifications/progress", params: { progressToken: "p", progress: 1, message: "added" } },
  ]);
  await client.close();
});

it.each(["2025-11-25", "2026-07-28"])(
  "mcp.connections: a client of MCP %s in our agent uses a server that a client on the official SDK serves in the earlier form",
  async (revision) => {
    const seen: unknown[] = [];
    const progress: unknown[] = [];
    const events: string[] = [];
    const [clientSide, agentSide] = linkedTransports();
    createAgent({
      info: { name: "ours", version: "1.0.0" },
      mcpTransports: { acp: true },
      async newSession({ mcpServers }, { connection }) {
        const isModern = revision === "2026-07-28";
        const mcp = new Client(info, isModern ? { versionNegotiation: { mode: { pin: revision } } } : {});
        await mcp.connect(clientTransport(connection, mcpServers[0] as object));
        seen.push((await mcp.listTools()).tools.map(({ name }) => name));
        const input = { name: "add", arguments: { a: 1, b: 2 } };
        seen.push((await mcp.callTool(input, { onprogress: (each) => progress.push(each) })).content);
        seen.push(
          (await mcp.callTool({ name: "missing" }).catch((error: { code: number }) => error.code)) !== undefined,
        );
        const cancel = new AbortController();
        const cancelled = mcp.callTool({ name: "wait" }, { signal: cancel.signal }).catch(() => "cancelled");
        await mcp.listTools();
        cancel.abort();
        seen.push(await cancelled);
        await mcp.close();
        return { sessionId: "s" };
      },
      prompt: async () => {},
    }).connect(agentSide);

    const server = new McpServer1({ name: "theirs", version: "1.0.0" });
    const sum = { inputSchema: { a: z.number(), b: z.number() } };
    server.registerTool("add", sum, async ({ a, b }, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined)
        await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      return { content: [{ type: "text", text: String(a + b) }] };
    });
    server.registerTool("wait", {}, ({ signal }) => {
      signal.addEventListener("abort", () => events.push("aborted"));
      return new Promise(() => {});
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const waiting = new Map<
      unknown,
      (message: { result?: object; error?: { code: number; message: string } }) => void
    >();
    const same = ((params: unknown) => params) as never;
    interface Sent {
      readonly params: { readonly connectionId: string; readonly method: string; readonly params?: object };
      readonly signal: AbortSignal;
    }
    const connection = client({ name: "sdk-2" })
      .onRequest("mcp/connect" as never, same, (() => {
        events.push("connect");
        return { connectionId: "c1" };
      }) as never)
      .onRequest("mcp/message" as never, same, (({ params: { connectionId, method, params }, signal }: Sent) => {
        if (connectionId === undefined) throw new RequestError(-32602, "Invalid params: connectionId is missing");
        const id = waiting.size + 1;
        signal?.addEventListener("abort", () => {
          void near.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
          waiting.get(id)?.({ error: { code: -32800, message: "Cancelled" } });
        });
        return new Promise((resolve, reject) => {
          waiting.set(id, ({ result, error }) =>
            error === undefined ? resolve(result) : reject(new RequestError(error.code, error.message)),
          );
          void near.send({ jsonrpc: "2.0", id, method, ...(params && { params }) } as never);
        });
      }) as never)
      .onNotification("mcp/message" as never, same, (({ params: { method, params } }: Sent) => {
        void near.send({ jsonrpc: "2.0", method, ...(params && { params }) } as never);
      }) as never)
      .onRequest("mcp/disconnect" as never, same, (() => {
        events.push("disconnect");
        return {};
      }) as never)
      .connect(toMessageStream(clientSide) as never);
    near.onmessage = (message) => {
      const { id, method, params } = message as { id?: number; method?: string; params?: object };
      if (method === undefined) waiting.get(id)?.(message as never);
      else void connection.agent.notify("mcp/message" as never, { connectionId: "c1", method, params } as never);
    };
    await Promise.all([near.start(), server.connect(far)]);
    await connection.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} } as never);
    const declaration = { type: "acp", name: "theirs", serverId: "theirs" };
    await connection.agent.request("session/new", { cwd: "/work", mcpServers: [declaration] } as never);
    expect(seen).toEqual([["add", "wait"], [{ type: "text", text: "3" }], true, "cancelled"]);
    expect(progress).toEqual([{ progress: 1 }]);
    await expect.poll(() => events).toEqual(["connect", "aborted", "disconnect"]);
    connection.close();
  },
);
