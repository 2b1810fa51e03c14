import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { echoAgent } from "../../test/echo-agent.js";
import { initializeRequest, RawClient } from "../../test/raw-client.js";
import { type AcpHandler, createAcpHandler } from "../server/acp-handler.js";
import type { ServedAgent } from "../server/served-agent.js";
import { type HttpAgentServer, serveHttp, serveHttpWith } from "./serve-http.js";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const IDLE = 5_000;
const REQUESTS = 40_000;
const AT_ONCE = 500;
/** Half of the requests would take 20 MB if they were kept: each about 1 KB. */
const MAX_GROWTH = 12 * 1_048_576;
/** A test takes a few seconds on an idle machine. */
const TIMEOUT_MS = 180_000;

/** The number of file descriptors that this process may open. Both ends of each socket are in this process. */
const descriptors =
  process.platform === "win32"
    ? Number.POSITIVE_INFINITY
    : Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" })) || Number.POSITIVE_INFINITY;
const sockets = Math.min(IDLE, Math.floor((descriptors - 500) / 2));
if (sockets < IDLE) console.log(`Reduced: ${sockets} of ${IDLE} idle WebSockets, because ulimit -n is ${descriptors}.`);

/** The used bytes of the heap, after a garbage collection. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

const results: Record<string, object> = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" } };

/** An agent that responds immediately. It is no raw peer, because a raw peer keeps all messages. */
const quickAgent = (): ServedAgent => ({
  connect(transport) {
    const closed = deferred();
    transport.start({
      message(value) {
        const { id, method } = value as { readonly id?: number; readonly method: string };
        if (id !== undefined) transport.send({ jsonrpc: "2.0", id, result: results[method] ?? { sessions: [] } });
      },
      malformed() {},
      ended: closed.resolve,
      failed: () => closed.resolve(),
    });
    return { closed: closed.promise, close: () => transport.close() };
  },
});

function handlerOf(agent: Parameters<typeof createAcpHandler>[0]): AcpHandler {
  const handler = createAcpHandler(agent, { limits: { maxConnectionsPerPrincipal: 10_000 } });
  closers.push(() => handler.close());
  return handler;
}

async function serverOf(agent: Parameters<typeof serveHttp>[0]): Promise<HttpAgentServer> {
  const server = await serveHttp(agent, { limits: { maxConnectionsPerPrincipal: 10_000 } });
  closers.push(() => server.close());
  return server;
}

async function expectServed(handler: AcpHandler): Promise<void> {
  const other = new RawClient(handler.fetch);
  await other.initialize();
  const main = await other.stream();
  const sessionId = await other.newSession(main);
  expect(sessionId).toBe("s");
  await other.delete();
}

async function openWebSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  const opened = once(socket, "message");
  socket.once("open", () => socket.send(JSON.stringify(initializeRequest)));
  await opened;
  return socket;
}

it(
  "keeps 5,000 idle connections of streamable HTTP, each with a stream, and serves other clients",
  async () => {
    const handler = handlerOf(quickAgent());
    for (let n = 0; n < IDLE; n += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const client = new RawClient(handler.fetch);
          await client.initialize();
          expect((await client.stream()).status).toBe(200);
        }),
      );
    }
    expect(handler.connections).toBe(IDLE);
    await expectServed(handler);
  },
  TIMEOUT_MS,
);

it(
  "keeps 5,000 idle WebSockets, and serves other clients",
  async () => {
    const server = await serverOf(quickAgent());
    const open: WebSocket[] = [];
    while (open.length < sockets) {
      const some = Array.from({ length: Math.min(AT_ONCE, sockets - open.length) }, () =>
        openWebSocket(server.webSocketUrl),
      );
      open.push(...(await Promise.all(some)));
    }
    expect(server.connections).toBe(sockets);
    const other = await openWebSocket(server.webSocketUrl);
    other.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/list" }));
    expect(JSON.parse(String((await once(other, "message"))[0]))).toMatchObject({ id: 1 });
    for (const socket of [...open, other]) socket.terminate();
    await expect.poll(() => server.connections, { timeout: 20_000 }).toBe(0);
  },
  TIMEOUT_MS,
);

it(
  "handles 40,000 POSTs of one connection, keeps none of them, and serves other clients",
  async () => {
    const handler = handlerOf(quickAgent());
    const client = new RawClient(handler.fetch);
    await client.initialize();
    const stream = await client.stream();
    let sent = 0;
    let halfway = 0;
    while (sent < REQUESTS) {
      const calls = Array.from({ length: AT_ONCE }, () => client.call("session/list", {}));
      const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
      expect([...statuses]).toEqual([202]);
      for (let n = 0; n < AT_ONCE; n += 1) await stream.next();
      sent += AT_ONCE;
      if (sent === REQUESTS / 2) halfway = heapUsed();
      if (sent % 20_000 === 0) await expectServed(handler);
    }
    expect(heapUsed() - halfway).toBeLessThan(MAX_GROWTH);
  },
  TIMEOUT_MS,
);

it(
  "handles 40,000 requests over one WebSocket, and keeps none of them",
  async () => {
    const server = await serverOf(quickAgent());
    const socket = await openWebSocket(server.webSocketUrl);
    let received = 0;
    let wake = (): void => {};
    socket.on("message", () => {
      received += 1;
      if (received % AT_ONCE === 0) wake();
    });
    let halfway = 0;
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      const batch = new Promise<void>((resolve) => {
        wake = resolve;
      });
      for (let n = 0; n < AT_ONCE; n += 1) socket.send(`{"jsonrpc":"2.0","id":${sent + n},"method":"session/list"}`);
      await batch;
      if (sent === REQUESTS / 2) halfway = heapUsed();
    }
    expect(received).toBe(REQUESTS);
    expect(heapUsed() - halfway).toBeLessThan(MAX_GROWTH);
    socket.terminate();
  },
  TIMEOUT_MS,
);

it("remote.back-pressure: a client that never reads stops only its own agent", async () => {
  const CHUNKS = 5_000;
  let sent = 0;
  const server = await serverOf(
    echoAgent({
      prompt: async (turn) => {
        if (turn.text !== "flood") return void (await turn.message(turn.text));
        for (; sent < CHUNKS && !turn.signal.aborted; sent += 1) await turn.message("x".repeat(10_000));
      },
    }),
  );
  const client = new RawClient((request) => fetch(request), server.url);
  await client.initialize();
  const sessionId = await client.newSession(await client.stream());
  const deaf = connect(server.port, "127.0.0.1");
  closers.push(() => deaf.destroy());
  const headers = [
    `host: 127.0.0.1:${server.port}`,
    "accept: text/event-stream",
    `acp-connection-id: ${client.connectionId}`,
  ];
  deaf.pause();
  deaf.write(`GET /acp HTTP/1.1\r\n${headers.join("\r\n")}\r\nacp-session-id: ${sessionId}\r\n\r\n`);
  await client.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "flood" }] });
  let before = -1;
  await expect
    .poll(
      () => {
        const isSame = sent === before && sent > 1;
        before = sent;
        return isSame;
      },
      { interval: 200, timeout: 20_000 },
    )
    .toBe(true);
  expect(sent).toBeLessThan(CHUNKS);
  const other = new RawClient((request) => fetch(request), server.url);
  await other.initialize();
  const own = await other.newSession(await other.stream());
  const stream = await other.stream(own);
  await other.call("session/prompt", { sessionId: own, prompt: [{ type: "text", text: "hello" }] });
  expect((await stream.next()).params.update.content.text).toBe("hello");
});

it("responds 408 if a body does not arrive, and closes the socket", async () => {
  const server = await serveHttpWith(quickAgent(), {}, { bodyTimeoutMs: 50 });
  closers.push(() => server.close());
  const socket = connect(server.port, "127.0.0.1");
  const headers = [`host: 127.0.0.1:${server.port}`, "content-type: application/json", "content-length: 1000"];
  socket.write(`POST /acp HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n{"jsonrpc"`);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  await once(socket, "close");
  expect(text).toMatch(/^HTTP\/1.1 408 /);
});
