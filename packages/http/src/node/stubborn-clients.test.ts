import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { echoAgent } from "../../test/echo-agent.js";
import { initializeRequest, RawClient } from "../../test/raw-client.js";
import { EventStream } from "../server/event-stream.js";
import type { FixedServerLimits } from "../server/handler-options.js";
import { Refusal } from "../server/refusal.js";
import type { AgentChoice } from "../server/served-agent.js";
import { sendReply } from "./node-exchange.js";
import { createNodeFetch } from "./node-fetch.js";
import { type HttpAgentServer, type ServeHttpOptions, serveHttpWith } from "./serve-http.js";

const servers: HttpAgentServer[] = [];
const sockets: Socket[] = [];
const serve = async (
  agent: AgentChoice,
  options: ServeHttpOptions = {},
  fixed?: Partial<FixedServerLimits>,
): Promise<HttpAgentServer> => {
  const server = await serveHttpWith(agent, options, fixed);
  servers.push(server);
  return server;
};
/** A client's socket that stays open after the server has closed its side. */
function open(port: number): Socket {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  sockets.push(socket);
  socket.on("error", () => {});
  return socket;
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const upgrade = (path: string, lines = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n${lines}\r\n`;

describe("a client that does not close its socket", () => {
  it.each([
    ["is refused", "/acp", "Origin: https://evil.example\r\n", 403],
    ["has the path of no endpoint", "/other", "", 404],
  ])("is closed by the server when its upgrade %s", async (_, path, lines, status) => {
    const server = await serve(echoAgent());
    const socket = open(server.port);
    let received = "";
    socket.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    socket.write(upgrade(path, lines));
    await once(socket, "end");
    expect(received).toContain(` ${status} `);
    // A write to a socket that the peer has closed resets the socket.
    const isReset = (): boolean => {
      socket.write("x");
      return socket.destroyed;
    };
    await expect.poll(isReset, { timeout: 20_000 }).toBe(true);
  });
});

describe("a client whose body is refused", () => {
  /** Sends a POST with the beginning of a body. Returns the socket and the text that it receives. */
  const post = (port: number, size: number, lines = ""): { socket: Socket; received: { text: string } } => {
    const socket = open(port);
    const received = { text: "" };
    socket.setEncoding("utf8").on("data", (text) => {
      received.text += text;
    });
    socket.write(
      `POST /acp HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
    );
    return { socket, received };
  };

  it("remote.refused-bodies: receives the response although it reads only after it has written everything", async () => {
    const server = await serve(echoAgent(), { limits: { maxMessageBytes: 1_000 } });
    const { socket, received } = post(server.port, 8_000_000);
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      socket.once("close", () => reject(new Error("The socket was reset.")));
      socket.write(Buffer.alloc(8_000_000, " "), () => resolve());
    });
    socket.resume();
    await once(socket, "end");
    expect(received.text).toMatch(/^HTTP\/1.1 413 .*\r\ncontent-length: \d+\r\n.*The body is longer than 1000 bytes/is);
  });

  it.each([
    ["sends more than 16 MiB", 100_000_000],
    ["sends nothing for five seconds", 0],
  ])("is disconnected after the response if it %s", async (_, bytes) => {
    const server = await serve(echoAgent());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { socket, received } = post(server.port, 200_000_000, "Origin: https://evil.example\r\n");
    await once(socket, "data");
    expect(received.text).toContain(" 403 ");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("end", () => socket.end());
    if (bytes > 0) socket.write(Buffer.alloc(bytes));
    else await vi.advanceTimersByTimeAsync(5_000);
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});

describe("a client that sends nothing", () => {
  it("remote.idle-sessions: an HTTP/2 session without a request ends like a socket of HTTP/1.1", async () => {
    const server = await serve(echoAgent(), { headersTimeoutMs: 1_000 });
    const client = new RawClient(fetch, server.url);
    await client.initialize();
    const headers = { accept: "text/event-stream", "acp-connection-id": client.connectionId };
    const busy = connectHttp2(`http://127.0.0.1:${server.port}`);
    const stream = busy.request({ ":path": "/acp", ...headers });
    await once(stream, "response");
    const other = connectHttp2(`http://127.0.0.1:${server.port}`);
    await once(other, "close");
    expect(busy.closed).toBe(false); // it is older than the other one
    busy.destroy();
  });

  it("remote.bounded-memory: WebSocket messages that do not end are counted for the principal", async () => {
    const server = await serve(echoAgent(), { limits: { maxQueuedBytes: 1_000_000 } });
    const part = "x".repeat(900_000);
    const begin = async (): Promise<WebSocket> => {
      const socket = new WebSocket(server.webSocketUrl, ["acp"]).on("error", () => {});
      await once(socket, "open");
      socket.send(part, { fin: false });
      return socket;
    };
    const first = await begin();
    const second = await begin();
    const third = await begin();
    const [code, reason] = await Promise.race([first, second, third].map((socket) => once(socket, "close")));
    expect([code, String(reason)]).toEqual([1013, expect.stringContaining("maxQueuedBytes")]);
    for (const socket of [first, second, third]) socket.terminate();
  });
});

const large = "x".repeat(16_000_000);
const largeStream = () => {
  const stream = new EventStream({ queued() {}, kept: () => true, readerChanged() {} });
  const reader = stream.openFirst();
  stream.push(large);
  setImmediate(() => stream.destroy());
  return reader;
};

it.each([
  ["a large response", () => large],
  ["an event stream that the server has ended", largeStream],
])("remote.stalled-readers: a client that does not read %s is disconnected after stallTimeoutMs", async (_, body) => {
  const closed = deferred();
  const server = createHttpServer((request, response) => {
    response.once("close", closed.resolve);
    sendReply(request, response, { status: 200, headers: {}, body: body() }, 50);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = open((server.address() as AddressInfo).port);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await closed.promise;
  server.close();
});

it("remote.dead-peers: an HTTP/2 client that responds to no ping is disconnected, also if pongTimeoutMs is much longer than keepAliveMs", async () => {
  const server = await serve(echoAgent(), { limits: { keepAliveMs: 5 } }, { pongTimeoutMs: 500 });
  const socket = open(server.port);
  const emptySettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), emptySettings]));
  socket.resume();
  await once(socket, "end");
});

/**
 * The response to `initialize` and that of a second request on the same socket. The client offers `Upgrade: h2c` in
 * both, as the one of Java does.
 */
async function offerH2c(socket: Duplex): Promise<string> {
  let received = "";
  socket.setEncoding("utf8").on("data", (text) => {
    received += text;
  });
  const body = JSON.stringify({
    ...initializeRequest,
    params: { ...initializeRequest.params, _meta: "x".repeat(100_000) },
  });
  const offer =
    "Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n";
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.write(`POST /acp HTTP/1.1\r\n${offer}${type}\r\n${body}`);
  await expect.poll(() => received).toContain("agentCapabilities");
  socket.write(`GET /other HTTP/1.1\r\n${offer}\r\n`);
  await expect.poll(() => received).toContain(" 404 ");
  socket.destroy();
  return received;
}

it("a client that offers an upgrade to HTTP/2 is served over HTTP/1.1", async () => {
  const server = await serve(echoAgent());
  expect(await offerH2c(open(server.port))).toMatch(/^HTTP\/1.1 200 /);
});

describe("a server whose time limits are infinite", () => {
  it("handles requests over HTTP/1.1 and HTTP/2, although a timer with an infinite delay fires immediately", async () => {
    const never = Number.POSITIVE_INFINITY;
    const limits = { keepAliveMs: never, initializeTimeoutMs: never };
    const fixed = { bodyTimeoutMs: never, pongTimeoutMs: never };
    const server = await serve(echoAgent(), { limits, headersTimeoutMs: never }, fixed);
    const nodeFetch = createNodeFetch();
    const overHttp2 = async (request: Request): Promise<Response> => {
      const body = request.method === "POST" ? await request.text() : null;
      return nodeFetch(request.url, { method: request.method, headers: Object.fromEntries(request.headers), body });
    };
    for (const send of [fetch, overHttp2]) {
      const raw = new RawClient(send as (request: Request) => Promise<Response>, server.url);
      expect((await raw.initialize()).status).toBe(200);
      expect((await raw.delete()).status).toBe(202);
    }
  });
});

describe("a refusal of the application that HTTP can't carry", () => {
  const refuse = (options: ConstructorParameters<typeof Refusal>[2], status = 401) => ({
    onError: (error: unknown) => void errors.push(error),
    agent: (): never => {
      throw new Refusal(status, "no", options ?? {});
    },
  });
  const errors: unknown[] = [];

  it("gets the response 500 for a header with a line break, and injects no header", async () => {
    const { agent, onError } = refuse({ headers: { "x-name": "a\r\nset-cookie: b" } });
    const server = await serve(agent, { onError });
    const response = await new RawClient((request) => fetch(request), server.url).initialize();
    expect(response.status).toBe(500);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(errors.splice(0)).toEqual([expect.any(TypeError)]);
  });

  it("ends only the request if the status is invalid", async () => {
    const { agent, onError } = refuse({}, 7);
    const server = await serve(agent, { onError });
    await expect(new RawClient((request) => fetch(request), server.url).initialize()).rejects.toThrow();
    expect(errors.splice(0)).toEqual([expect.any(RangeError)]);
    expect((await fetch(`${server.url}/other`)).status).toBe(404);
  });

  it("ends only the request when the listener for errors throws, too", async () => {
    const onError = (): never => {
      throw new Error("failed");
    };
    const server = await serve(refuse({}, 7).agent, { onError });
    await expect(new RawClient((request) => fetch(request), server.url).initialize()).rejects.toThrow();
    expect((await fetch(`${server.url}/other`)).status).toBe(404);
  });
});

describe("a server that accepts connections and never responds", () => {
  it("causes the request to fail after connectTimeoutMs, and the next request opens another connection", async () => {
    const server = createServer((socket) => void sockets.push(socket));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const timeOut = async (send: ReturnType<typeof createNodeFetch>, url: string): Promise<void> => {
        const accepted = once(server, "connection");
        const failed = expect(send(url, {})).rejects.toThrow(/within 50 ms \(connectTimeoutMs\)/);
        await accepted;
        vi.advanceTimersByTime(50);
        await failed;
      };
      const nodeFetch = createNodeFetch({ connectTimeoutMs: 50 });
      await timeOut(nodeFetch, `https://127.0.0.1:${port}/acp`);
      await timeOut(nodeFetch, `https://127.0.0.1:${port}/acp`);
      const environment = { http_proxy: `http://127.0.0.1:${port}` };
      await timeOut(createNodeFetch({ connectTimeoutMs: 50, environment }), "http://agent.example/acp");
    } finally {
      vi.useRealTimers();
      server.close();
    }
  });
});

describe("with TLS", () => {
  let tls: { key: Buffer; cert: Buffer };
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "acp-http-"));
    const files = ["key.pem", "cert.pem"].map((name) => join(folder, name)) as [string, string];
    const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"];
    execFileSync("openssl", [...args, "-keyout", files[0], "-out", files[1]], { stdio: "ignore" });
    tls = { key: readFileSync(files[0]), cert: readFileSync(files[1]) };
    rmSync(folder, { recursive: true });
  });
  it("disconnects a client that never begins its handshake, and a client that never ends its headers", async () => {
    const server = await serve(echoAgent(), { tls: tls as never, headersTimeoutMs: 100 });
    const silent = open(server.port);
    silent.resume();
    const slow = connectTls({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
    slow.on("error", () => {}).resume();
    slow.write("POST /acp HTTP/1.1\r\nHost: localhost\r\n");
    await Promise.all([once(silent, "end"), once(slow, "close")]);
  });

  it("serves a client that offers an upgrade to HTTP/2 over HTTP/1.1", async () => {
    const server = await serve(echoAgent(), { tls: tls as never });
    const socket = connectTls({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
    expect(await offerH2c(socket)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("can be closed during a handshake", async () => {
    const server = await serve(echoAgent(), { tls: tls as never });
    const silent = open(server.port);
    await once(silent, "connect");
    const ended = once(silent.resume(), "end");
    await expect.poll(() => server.close().then(() => true), { timeout: 20_000 }).toBe(true);
    await ended;
  });
});
