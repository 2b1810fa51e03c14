import { createServer as createHttp1Server } from "node:http";
import { connect as connectHttp2, createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { connectAgent } from "@acp-kit/client";
import { Budget, deferred, Holding } from "@acp-kit/jsonrpc/internal";
import { describe, expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { initializeRequest, RawClient } from "../../test/raw-client.js";
import { scriptedAgent } from "../../test/scripted-agent.js";
import type { FetchLike } from "../client/http-agent-options.js";
import { createAcpHandler } from "../server/acp-handler.js";
import { eventReply } from "../server/event-reply.js";
import { EventStream } from "../server/event-stream.js";
import { NodeExchange, type NodeRequest, type NodeResponse, sendReply } from "./node-exchange.js";
import { createNodeFetch } from "./node-fetch.js";
import { httpAgent } from "./remote-agents.js";
import { serveHttp } from "./serve-http.js";

/** An agent that never responds, and a promise for its first message. */
function silentAgent(): { agent: ReturnType<typeof scriptedAgent>; prompted: Promise<unknown> } {
  let receive = (_message: unknown): void => {};
  const prompted = new Promise((resolve) => {
    receive = resolve;
  });
  return { agent: scriptedAgent(receive), prompted };
}

describe("a client that disconnects during `initialize`", () => {
  const post = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(initializeRequest),
  };

  it.each([
    ["HTTP/1.1", fetch],
    ["HTTP/2", createNodeFetch()],
  ])("causes the server to end the connection of its agent immediately, over %s", async (_, send) => {
    const { agent, prompted } = silentAgent();
    const server = await serveHttp(agent);
    const controller = new AbortController();
    const response = send(server.url, { ...post, signal: controller.signal });
    await prompted;
    controller.abort();
    await expect(response).rejects.toThrow();
    expect(await agent.ended).toMatchObject({ message: expect.stringContaining("client disconnected") });
    expect(server.connections).toBe(0);
    await server.close();
  });

  it("ends its connection, also if the server uses the handler for `Request` and `Response`", async () => {
    const { agent, prompted } = silentAgent();
    const handler = createAcpHandler(agent);
    const controller = new AbortController();
    const response = handler.fetch(new Request("http://localhost/acp", { ...post, signal: controller.signal }));
    await prompted;
    controller.abort();
    expect(await agent.ended).toMatchObject({ message: expect.stringContaining("client disconnected") });
    expect((await response).status).toBe(502);
    await handler.close();
  });
});

describe("a client that disconnects before the response with an event stream begins", () => {
  const owner = { queued: () => {}, kept: () => true, readerChanged: () => {} };

  it.each<[string, () => Server, FetchLike]>([
    ["HTTP/1.1", createHttp1Server, fetch],
    ["HTTP/2", createServer, createNodeFetch()],
  ])("does not stay the reader of the stream, over %s", async (_, create, send) => {
    const stream = new EventStream(owner);
    const arrived = deferred();
    const sent = deferred();
    const server = create();
    const sockets: Socket[] = [];
    server.on("connection", (socket: Socket) => sockets.push(socket));
    server.on("request", (request: NodeRequest, response: NodeResponse) => {
      response.once("close", () => {
        sendReply(request, response, eventReply(stream.openFirst()), 60_000);
        sent.resolve();
      });
      arrived.resolve();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const controller = new AbortController();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const response = send(url, { method: "GET", headers: {}, signal: controller.signal });
    await arrived.promise;
    controller.abort();
    await expect(response).rejects.toThrow();
    await sent.promise;
    expect(stream.hasReader).toBe(false);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it("does not stay the reader of the stream, also if the server uses the handler for `Request` and `Response`", async () => {
    const controller = new AbortController();
    const handler = createAcpHandler(echoAgent(), {
      authenticate: ({ method }) => {
        if (method === "GET") controller.abort();
        return { user: "ann" };
      },
    });
    const client = new RawClient((request) => handler.fetch(new Request(request, { signal: controller.signal })));
    await client.initialize();
    await client.stream();
    expect((await client.stream()).status).toBe(200);
    await handler.close();
  });
});

describe("a client that disconnects in the middle of a body, before the server reads it", () => {
  it.each<[string, () => Server, (port: number) => () => void]>([
    [
      "HTTP/1.1",
      createHttp1Server,
      (port) => {
        const socket = connect(port, "127.0.0.1");
        socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
        return () => socket.destroy();
      },
    ],
    [
      "HTTP/2",
      createServer,
      (port) => {
        const session = connectHttp2(`http://127.0.0.1:${port}`);
        session
          .request({ ":method": "POST" })
          .on("error", () => {})
          .write("{");
        return () => session.destroy();
      },
    ],
  ])("gets the refusal of an incomplete body, over %s", async (_, create, begin) => {
    const server = create();
    const arrived = deferred();
    const refused = deferred<unknown>();
    server.on("request", (request: NodeRequest, response: NodeResponse) => {
      response.once("close", () => {
        const holding = new Holding(new Budget(10));
        const never = { maxBytes: 10, timeoutMs: Number.POSITIVE_INFINITY, holding };
        setImmediate(() => new NodeExchange(request).readBody(never).then(refused.resolve, refused.resolve));
      });
      arrived.resolve();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const disconnect = begin((server.address() as AddressInfo).port);
    await arrived.promise;
    disconnect();
    expect(await refused.promise).toMatchObject({ status: 400, isIncomplete: true });
    await new Promise((resolve) => server.close(resolve));
  });
});

it("does not reset the HTTP/2 streams of POSTs, because servers end a session with many resets", async () => {
  const ours = { "acp-connection-id": "c", "idempotency-key": '"0"' };
  let posts = 0;
  const sessions: ServerHttp2Session[] = [];
  const server = createServer();
  server.on("session", (session) => sessions.push(session));
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    stream.resume();
    if (headers[":method"] === "GET") {
      stream.respond({ ":status": 200, "content-type": "text/event-stream" });
    } else if (headers["acp-connection-id"] === undefined) {
      stream.respond({ ":status": 200, "content-type": "application/json", ...ours });
      stream.end('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}');
    } else {
      stream.respond({ ":status": 202 });
      stream.end();
      if (headers[":method"] === "POST") posts += 1;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  const agent = await connectAgent(httpAgent(url, { limits: { closeTimeoutMs: 60_000 } }));
  // More than the 1,000 resets that nghttp2 allows
  for (let n = 0; n < 1_500; n += 1) agent.extensionNotify("_test/note", { n });
  await agent.close();
  expect([posts, sessions.length]).toEqual([1_500, 1]);
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
});
