import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectAgent } from "@acp-kit/client";
import { filesBelow } from "@acp-kit/configs/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { echoAgent } from "../../test/echo-agent.js";
import { inProcessFetch } from "../../test/in-process-fetch.js";
import { initializeRequest, RawClient } from "../../test/raw-client.js";
import { fetchAgent } from "../client/http-agent.js";
import { createAcpHandler } from "../server/acp-handler.js";
import { createNodeFetch } from "./node-fetch.js";
import { webSocketAgent } from "./remote-agents.js";
import { type HttpAgentServer, serveHttp } from "./serve-http.js";

let server: HttpAgentServer;
beforeAll(async () => {
  server = await serveHttp(echoAgent());
});
afterAll(() => server.close());

const json = { "content-type": "application/json" };
const events = { accept: "text/event-stream" };
const post = (method: string, params: object, more: object = { id: 1 }): string =>
  JSON.stringify({ jsonrpc: "2.0", ...more, method, params });
const prompt = { sessionId: "s", prompt: [] };

/**
 * The status tables of the specification: each row is a request, on a connection or without one, and the status that it
 * gets.
 */
const rows: readonly (readonly [string, boolean, number, Record<string, string>, string?])[] = [
  ["POST with another content type", true, 415, { "content-type": "text/plain" }, "{}"],
  ["POST without a content type", true, 415, { "content-type": "" }, "{}"],
  ["POST of a message without the connection's header", false, 400, json, post("session/new", {})],
  ["POST to an unknown connection", false, 404, { ...json, "acp-connection-id": "unknown" }, post("session/list", {})],
  ["POST in a session without its header", true, 400, json, post("session/prompt", prompt)],
  [
    "POST with the header of another session",
    true,
    400,
    { ...json, "acp-session-id": "t" },
    post("session/prompt", prompt),
  ],
  ["POST in a session that is not open", true, 404, { ...json, "acp-session-id": "s" }, post("session/prompt", prompt)],
  ["POST of a batch", true, 501, json, `[${post("session/list", {})}]`],
  ["POST of a batch with initialize", false, 501, json, JSON.stringify([initializeRequest])],
  ["POST of what is not JSON", true, 400, json, "{"],
  ["POST of a value that is no object", true, 400, json, "7"],
  ["POST of a second initialize", true, 400, json, JSON.stringify(initializeRequest)],
  ["POST of a request", true, 202, json, post("session/list", {})],
  ["POST of a notification", true, 202, json, post("$/cancel_request", { requestId: 1 }, {})],
  ["POST of a response", true, 202, json, '{"jsonrpc":"2.0","id":"a","result":{}}'],
  ["GET that accepts no events", true, 406, { accept: "application/json" }],
  ["GET without the connection's header", false, 400, events],
  ["GET of an unknown connection", false, 404, { ...events, "acp-connection-id": "unknown" }],
  ["GET of the connection's stream", true, 200, events],
  ["GET of a session's stream", true, 200, { ...events, "acp-session-id": "later" }],
  ["DELETE without the connection's header", false, 400, {}],
  ["DELETE of an unknown connection", false, 404, { "acp-connection-id": "unknown" }],
  ["DELETE", true, 202, {}],
  ["PUT", true, 405, {}],
];

describe.each([
  ["HTTP/1.1", fetch],
  ["HTTP/2", createNodeFetch()],
] as const)("RT-03 RT-05: the verbs over %s", (_, send) => {
  const requests = rows.map(([what, isConnected, status, headers, body]) => ({
    what,
    isConnected,
    status,
    headers,
    body,
  }));
  it.each(requests)("$what", async ({ what, isConnected, status, headers, body }) => {
    const [method = ""] = what.split(" ");
    const connection: Record<string, string> = {};
    if (isConnected) {
      const opened = await send(server.url, { method: "POST", headers: json, body: JSON.stringify(initializeRequest) });
      expect([opened.status, opened.headers.get("content-type")]).toEqual([200, "application/json"]);
      connection["acp-connection-id"] = opened.headers.get("acp-connection-id") ?? "";
    }
    const init = { method, headers: { ...connection, ...headers }, ...(body !== undefined && { body }) };
    const response = await send(server.url, init);
    expect(response.status).toBe(status);
    if (status === 202) expect(await response.text()).toBe("");
    else if (status >= 400) expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
    else await response.body?.cancel();
    const other = await send(server.url, { method: "POST", headers: json, body: JSON.stringify(initializeRequest) });
    expect(other.status).toBe(200); // other requests still work
  });
});

describe("a client", () => {
  it("RT-01: connects to a server with only streamable HTTP, and to a server with only WebSocket", async () => {
    const handler = createAcpHandler(echoAgent());
    const overHttp = await connectAgent(fetchAgent("http://localhost/acp", { fetch: inProcessFetch(handler.fetch) }));
    expect(overHttp.info?.name).toBe("echo");
    await overHttp.close();
    await handler.close();
    const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    sockets.on("connection", (socket) => {
      socket.on("message", (data) => {
        const { id } = JSON.parse(String(data)) as { id: number };
        const agentInfo = { name: "bare", version: "1.0.0" };
        socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentInfo } }));
      });
    });
    await once(sockets, "listening");
    const { port } = sockets.address() as { port: number };
    const overWebSocket = await connectAgent(webSocketAgent(`ws://127.0.0.1:${port}/acp`));
    expect(overWebSocket.info?.name).toBe("bare");
    await overWebSocket.close();
    sockets.close();
  });

  it("RT-10: opens the connection stream after initialize, and a session's stream after session/new and before session/load", async () => {
    const handler = createAcpHandler(echoAgent());
    const seen: string[] = [];
    const fetch = inProcessFetch(handler.fetch, {
      request: async (request) => {
        const { method = "" } =
          request.method === "POST" ? ((await request.clone().json()) as { method?: string }) : {};
        seen.push([request.method, method, request.headers.get("acp-session-id")].filter(Boolean).join(" "));
      },
    });
    const agent = await connectAgent(fetchAgent("http://localhost/acp", { fetch }));
    await agent.newSession({ cwd: "/" });
    await agent.loadSession({ sessionId: "old", cwd: "/" });
    await agent.close();
    const expected = [
      "POST initialize",
      "GET",
      "POST session/new",
      "GET s1",
      "GET old",
      "POST session/load old",
      "DELETE",
    ];
    expect(seen).toEqual(expected);
    await handler.close();
  });
});

describe("a WebSocket", () => {
  const open = async (): Promise<{
    socket: WebSocket;
    headers: Record<string, unknown>;
    next: () => Promise<string>;
  }> => {
    const socket = new WebSocket(server.webSocketUrl);
    const upgraded = new Promise<Record<string, unknown>>((resolve) =>
      socket.once("upgrade", ({ headers }) => resolve(headers)),
    );
    await new Promise((resolve) => socket.once("open", resolve));
    const next = (): Promise<string> =>
      new Promise((resolve) => socket.once("message", (data) => resolve(String(data))));
    return { socket, headers: await upgraded, next };
  };

  it("RT-20: the response to the upgrade has the id of a new connection", async () => {
    const [a, b] = [await open(), await open()];
    expect(a.headers["acp-connection-id"]).toMatch(/^[\w-]{24}$/);
    expect(a.headers["acp-connection-id"]).not.toBe(b.headers["acp-connection-id"]);
    for (const { socket } of [a, b]) socket.terminate();
  });

  it("RT-24: uses no compression, selects only an offered sub-protocol, and accepts a message in fragments", async () => {
    const { socket, headers, next } = await open();
    expect([socket.extensions, headers["sec-websocket-protocol"]]).toEqual(["", undefined]);
    const text = JSON.stringify(initializeRequest);
    for (let at = 0; at < text.length; at += 10) socket.send(text.slice(at, at + 10), { fin: at + 10 >= text.length });
    expect(JSON.parse(await next())).toMatchObject({ id: 0, result: { protocolVersion: 1 } });
    socket.terminate();
  });

  it("RT-23 RT-31: ends its connection when it closes; another connection can load the session", async () => {
    const first = await open();
    first.socket.send(JSON.stringify(initializeRequest));
    await first.next();
    const before = server.connections;
    first.socket.close();
    await expect.poll(() => server.connections).toBe(before - 1);
    const second = await open();
    second.socket.send(JSON.stringify(initializeRequest));
    await second.next();
    const messages: { id?: number }[] = [];
    second.socket.on("message", (data) => messages.push(JSON.parse(String(data)) as { id?: number }));
    second.socket.send(post("session/load", { sessionId: "s1", cwd: "/", mcpServers: [] }, { id: 5 }));
    await expect.poll(() => messages.at(-1)).toMatchObject({ id: 5, result: {} });
    expect(messages).toHaveLength(3); // two updates of the replay
    second.socket.terminate();
  });
});

it("RT-30: events have ids, no names and no retry", async () => {
  const client = new RawClient((request) => fetch(request), server.url);
  await client.initialize();
  await client.call("session/list", {});
  const { body } = await client.request("GET", events);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.endsWith("\n\n")) text += decoder.decode((await reader.read()).value);
  expect(text.trimStart()).toMatch(/^id: [0-9a-f]{16}\.1\ndata: \{.*\}\n\n$/);
  await reader.cancel();
});

describe("the rules of the transport", () => {
  /** Rules that tests with other titles check, or that need no test. */
  const elsewhere: Readonly<Record<string, string>> = {
    "RT-02": "a permission of servers that this one does not use",
    "RT-32": "remote.dead-peers",
    "RT-33": "keeps cookies and sends them with every later request",
    "RT-34": "ends the connection of a client without any stream after idleTimeoutMs",
  };
  const rules = [1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 30, 31, 32, 33, 34, 35];
  const folder = join(import.meta.dirname, "..");
  const tests = filesBelow(folder)
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const titles = tests.flatMap((text) =>
    [...text.matchAll(/\b(?:it|describe)(?:\.each\([^;]*?\))?\(\s*"([^"]+)"/g)].map(([, title = ""]) => title),
  );

  it("each have a test with the rule's id in its title, or an entry in the list above", () => {
    const ids = rules.map((number) => `RT-${String(number).padStart(2, "0")}`);
    const untested = ids.filter((id) => !titles.some((title) => title.includes(id)));
    expect(untested).toEqual(Object.keys(elsewhere));
    const { "RT-02": _, ...named } = elsewhere;
    for (const title of Object.values(named))
      expect(
        titles.some((other) => other.includes(title)),
        title,
      ).toBe(true);
  });
});
