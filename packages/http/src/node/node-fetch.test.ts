import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttp2Server, type Http2ServerResponse, type ServerHttp2Session } from "node:http2";
import { createServer as createHttpsServer, globalAgent } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { createAcpHandler } from "../server/acp-handler.js";
import { relayAgent } from "../server/relay-agent.js";
import { createNodeFetch } from "./node-fetch.js";
import { proxyAuthorization, proxyFor } from "./proxy.js";
import { httpAgent, webSocketAgent } from "./remote-agents.js";
import { serveHttp } from "./serve-http.js";

/** The types of the HTTP/2 frames that begin a request or response, and a connection. */
const HEADERS = 1;
const SETTINGS = 4;
/** The flags of a frame with all headers and no body. */
const END = 5;

/** Returns the bytes of an HTTP/2 frame. */
function frame(type: number, flags: number, stream: number, payload: string): Buffer {
  const head = Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream]);
  return Buffer.concat([head, Buffer.from(payload, "latin1")]);
}

/** Returns the types of the frames of HTTP/2 in these bytes. */
function frameTypesOf(bytes: Buffer): number[] {
  if (bytes.length < 9) return [];
  return [bytes.readUInt8(3), ...frameTypesOf(bytes.subarray(9 + bytes.readUIntBE(0, 3)))];
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe("fetch of Node", () => {
  it("uses HTTP/2 without TLS if the server supports it", async () => {
    const versions: string[] = [];
    await using server = await serveHttp(echoAgent(), {
      fallback: (request, response) => {
        versions.push(request.httpVersion);
        (response as import("node:http").ServerResponse).end("ok");
      },
    });
    const response = await createNodeFetch()(new URL("/x", server.url).href, {});
    expect([response.status, await response.text(), versions]).toEqual([200, "ok", ["2.0"]]);
  });

  it("lets an HTTP/2 server send 256 KiB of a response before they are read, whatever other responses wait", async () => {
    const sent: number[] = [];
    const server = createHttp2Server((_, response) => {
      const at = sent.push(0) - 1;
      response.on("error", () => {});
      const send = (): void => {
        response.write("x".repeat(16_384), (error) => {
          if (error != null || response.destroyed) return;
          sent[at] = (sent[at] ?? 0) + 16_384;
          send();
        });
      };
      send();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const sessions: ServerHttp2Session[] = [];
    server.on("session", (session) => sessions.push(session));
    closers.push(() => {
      for (const session of sessions) session.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const fetch = createNodeFetch();
    const all = await Promise.all(Array.from({ length: 4 }, () => fetch(`http://127.0.0.1:${port}/`, {})));
    await vi.waitFor(() => expect(Math.min(...sent)).toBeGreaterThanOrEqual(262_144), 20_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(Math.max(...sent)).toBeLessThan(600_000); // a window, and what the client has read ahead
    for (const { body } of all) await body?.cancel();
  });

  it("close() waits for requests that have not been sent", async () => {
    const versions: string[] = [];
    await using server = await serveHttp(echoAgent(), {
      fallback: (request, response) => {
        versions.push(request.httpVersion);
        (response as import("node:http").ServerResponse).end("ok");
      },
    });
    const fetch = createNodeFetch();
    const get = (): Promise<Response> => fetch(new URL("/x", server.url).href, {});
    const opening = get();
    fetch.close();
    expect(await (await opening).text()).toBe("ok");
    await (await get()).text();
    const opened = get();
    fetch.close();
    expect(await (await opened).text()).toBe("ok");
    expect(versions).toEqual(["2.0", "2.0", "2.0"]);
  });

  it("falls back to HTTP/1.1", async () => {
    const handler = createAcpHandler(echoAgent());
    const server = createServer((request, response) => void answer(handler.fetch, request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closers.push(
      () => server.close(),
      () => server.closeAllConnections(),
      () => handler.close(),
    );
    const agent = await connectAgent(httpAgent(`http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`));
    expect((await agent.newSession({ cwd: "/" })).sessionId).toBe("s1");
    await agent.close();
  });

  it("sends each request once to a server without HTTP/2, and tries HTTP/2 only once", async () => {
    const received: string[] = [];
    let connections = 0;
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      received.push(`${request.httpVersion} ${body}`);
      response.end("ok");
    });
    server.on("connection", () => {
      connections += 1;
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    const fetch = createNodeFetch();
    const post = async (body: string): Promise<string> =>
      (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method: "POST", body })).text();
    expect(await Promise.all(["1", "2", "3"].map(post))).toEqual(["ok", "ok", "ok"]);
    expect(await post("4")).toBe("ok");
    expect(received.sort()).toEqual(["1.1 1", "1.1 2", "1.1 3", "1.1 4"]);
    expect(connections).toBe(5);
  });

  it("uses HTTP/1.1 if the server has not responded to HTTP/2 after two seconds", async () => {
    const ignored = deferred();
    const server = createTcpServer((socket) => {
      socket
        .on("error", () => {})
        .on("data", (chunk: Buffer) => {
          if (chunk.toString().startsWith("PRI")) ignored.resolve();
          else if (chunk.toString().startsWith("GET"))
            socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
        });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    closers.push(() => vi.useRealTimers());
    const sent = createNodeFetch()(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {});
    await ignored.promise;
    vi.advanceTimersByTime(2_000);
    expect(await (await sent).text()).toBe("ok");
  });

  it.each(["HTTP/1.1", "HTTP/2"])("rejects a status over %s that no response can have", async (version) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (chunk: Buffer) => {
        if (chunk.toString().startsWith("GET")) socket.end("HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n");
        else if (version === "HTTP/1.1") socket.destroy();
        else if (chunk.toString().startsWith("PRI")) socket.write(frame(SETTINGS, 0, 0, ""));
        // `:status: 999`.
        else if (frameTypesOf(chunk).includes(HEADERS)) socket.write(frame(HEADERS, END, 1, "\x08\x03999"));
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    const sent = createNodeFetch()(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {});
    await expect(sent).rejects.toThrow(RangeError);
  });

  it("opens another HTTP/2 connection if all streams that the server allows are in use", async () => {
    const sessions = new Set<unknown>();
    const responses: Http2ServerResponse[] = [];
    const server = createHttp2Server({ settings: { maxConcurrentStreams: 2 } }, (request, response) => {
      sessions.add(request.stream.session);
      response.writeHead(200);
      if (request.url === "/x") response.end("ok");
      else responses.push(response);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    const fetch = createNodeFetch();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const streams = await Promise.all(Array.from({ length: 4 }, () => fetch(`${url}/stream`, {})));
    expect(await (await fetch(`${url}/x`, {})).text()).toBe("ok");
    expect(sessions.size).toBe(3);
    for (const response of responses) response.end("end");
    expect(await Promise.all(streams.map((stream) => stream.text()))).toEqual(Array(4).fill("end"));
    fetch.close();
  });

  it("remote.dead-peers: ends an HTTP/2 connection that is lost, and opens another one", async () => {
    const server = createHttp2Server((request, response) => {
      if (request.url === "/x") response.end("ok");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const relays: { isLost: boolean }[] = [];
    const relay = createTcpServer((socket) => {
      const state = { isLost: false };
      relays.push(state);
      const target = connect((server.address() as AddressInfo).port, "127.0.0.1");
      for (const [from, to] of [
        [socket, target],
        [target, socket],
      ] as const) {
        from.on("error", () => {}).on("data", (chunk) => state.isLost || to.write(chunk));
        from.on("close", () => to.destroy());
      }
    });
    await once(relay.listen(0, "127.0.0.1"), "listening");
    closers.push(
      () => server.close(),
      () => relay.close(),
    );
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    closers.push(() => vi.useRealTimers());
    const fetch = createNodeFetch();
    const get = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${(relay.address() as AddressInfo).port}${path}`, {});
    expect(await (await get("/x")).text()).toBe("ok");
    for (const state of relays) state.isLost = true;
    const waiting = get("/never");
    await new Promise((resolve) => setImmediate(resolve)); // the request is sent
    vi.advanceTimersByTime(20_000);
    await expect(waiting).rejects.toThrow("The server sent nothing for 15000 ms");
    expect(await (await get("/x")).text()).toBe("ok");
    expect(relays).toHaveLength(2);
    fetch.close();
  });

  it("keeps an HTTP/2 connection whose server responds to pings", async () => {
    const late = deferred<Http2ServerResponse>();
    const server = createHttp2Server((request, response) => {
      if (request.url === "/late") late.resolve(response);
      else response.end("ok");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    closers.push(() => vi.useRealTimers());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [fetch, other] = [createNodeFetch(), createNodeFetch()];
    const waiting = fetch(`${url}/late`, {});
    const response = await late.promise;
    for (let pings = 0; pings < 4; pings += 1) {
      const pinged = once(response.stream.session as ServerHttp2Session, "ping");
      vi.advanceTimersByTime(10_000);
      await pinged;
      await (await other(`${url}/x`, {})).text(); // meanwhile, the pong arrives
    }
    response.end("ok");
    expect(await (await waiting).text()).toBe("ok");
    for (const one of [fetch, other]) one.close();
  });

  it("rejects with the reason of an aborted signal", async () => {
    await using server = await serveHttp(echoAgent(), { fallback: () => {} });
    const controller = new AbortController();
    const fetching = createNodeFetch()(new URL("/never", server.url).href, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(fetching).rejects.toThrow("enough");
  });
});

describe("with TLS", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "acp-http-"));
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const keys = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject, ...keys], {
      stdio: "ignore",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("sends the first request before the server's settings arrive", async () => {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)));
    const requested = deferred<number[]>();
    const server = createTlsServer({ key, cert, ALPNProtocols: ["h2"] }, (socket) => {
      let bytes = Buffer.alloc(0);
      socket
        .on("error", () => {})
        .on("data", (chunk) => {
          bytes = Buffer.concat([bytes, chunk]);
          const types = frameTypesOf(bytes.subarray("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length));
          if (!types.includes(HEADERS)) return;
          requested.resolve(types);
          socket.destroy(); // the server has sent nothing
        });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const sent = createNodeFetch({ tls: { ca: cert as Buffer } })(`https://127.0.0.1:${port}/`, {});
    await expect(sent).rejects.toThrow();
    expect(await requested.promise).toContain(HEADERS);
  });

  it("uses the proxy and the TLS options over HTTP/1.1, too", async () => {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)) as Buffer);
    const received: string[] = [];
    const server = createHttpsServer({ key, cert } as never, (request, response) => {
      received.push(`${request.httpVersion} ${request.headers.host}`);
      response.end("ok");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    const { port, targets } = await tunnelProxy((server.address() as AddressInfo).port);
    const environment = { https_proxy: `http://127.0.0.1:${port}` };
    const fetch = createNodeFetch({ tls: { ca: cert as Buffer }, environment });
    expect(await (await fetch("https://localhost/", {})).text()).toBe("ok");
    expect(received).toEqual(["1.1 localhost"]);
    expect(targets).toEqual(["undefined localhost:443", "undefined localhost:443"]);
  });

  it("verifies the certificate of an https: proxy with the proxy's name", async () => {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)) as Buffer);
    await using server = await serveHttp(echoAgent(), {
      authenticate: "none",
      fallback: (_, response) => void response.end("ok"),
    });
    const { port } = await tunnelProxy(server.port, createHttpsServer({ key, cert } as never));
    globalAgent.options.ca = cert as Buffer; // stands for NODE_EXTRA_CA_CERTS, which Node reads only when it starts
    closers.push(() => delete globalAgent.options.ca);
    for (const proxy of ["localhost", "127.0.0.1"]) {
      const fetch = createNodeFetch({ environment: { http_proxy: `https://${proxy}:${port}` } });
      expect(await (await fetch("http://agent.example/x", {})).text()).toBe("ok");
      fetch.close();
    }
  });

  it("serves h2 and WebSocket on one port", async () => {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(folder, name)));
    await using server = await serveHttp(echoAgent(), { tls: { key, cert } as never });
    expect(server.url).toMatch(/^https:/);
    const tls = { ca: cert as Buffer };
    for (const source of [httpAgent(server.url, { tls }), webSocketAgent(server.webSocketUrl, { tls })]) {
      const agent = await connectAgent(source);
      await agent.newSession({ cwd: "/" });
      await agent.close();
    }
    await expect(connectAgent(httpAgent(server.url))).rejects.toMatchObject({ cause: { code: "unreachable" } });
  });
});

describe("proxies of the environment", () => {
  const at = (url: string, environment: Record<string, string>) => proxyFor(new URL(url), environment)?.href;

  it("are chosen by the scheme of the URL, and not used for the hosts in NO_PROXY", () => {
    const environment = {
      HTTPS_PROXY: "http://p:1",
      http_proxy: "p:2",
      NO_PROXY: "localhost, .internal,10.0.0.1:8080",
    };
    expect(at("https://a.example/", environment)).toBe("http://p:1/");
    expect(at("wss://a.example/", environment)).toBe("http://p:1/");
    expect(at("http://a.example/", environment)).toBe("http://p:2/");
    expect(at("http://localhost:5/", environment)).toBeUndefined();
    expect(at("https://a.internal/", environment)).toBeUndefined();
    expect(at("http://10.0.0.1:8080/", environment)).toBeUndefined();
    expect(at("http://10.0.0.1/", environment)).toBe("http://p:2/");
    expect(at("https://a.example/", { ALL_PROXY: "http://p:3", NO_PROXY: "*" })).toBeUndefined();
    for (const NO_PROXY of ["localhost,::1", "[::1]", "[::1]:8080"]) {
      expect(at("http://[::1]:8080/", { ALL_PROXY: "http://p:3", NO_PROXY })).toBeUndefined();
    }
    expect(at("http://[::1]:8080/", { ALL_PROXY: "http://p:3", NO_PROXY: "[::1]:80, ::2" })).toBe("http://p:3/");
  });

  it("may send the first bytes of an HTTP/2 server together with the response to CONNECT", async () => {
    const server = createHttp2Server((_, response) => void response.end("ok"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const proxy = createServer().on("connect", (_: IncomingMessage, socket: Socket) => {
      const target = connect((server.address() as AddressInfo).port, "127.0.0.1");
      target.once("data", (first: Buffer) => {
        socket.write(Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), first]));
        socket.pipe(target).pipe(socket);
      });
      for (const end of [socket, target]) end.on("error", () => {});
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    closers.push(
      () => server.close(),
      () => proxy.close(),
    );
    const environment = { http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const fetch = createNodeFetch({ environment });
    expect(await (await fetch("http://agent.example/", {})).text()).toBe("ok");
    fetch.close();
  });

  it("forward both profiles through a tunnel", async () => {
    await using server = await serveHttp(echoAgent());
    const { port, targets } = await tunnelProxy(server.port);
    const environment = { http_proxy: `http://user:pass@127.0.0.1:${port}` };
    for (const source of [
      httpAgent(server.url, { environment }),
      webSocketAgent(server.webSocketUrl, { environment }),
    ]) {
      const agent = await connectAgent(source);
      await agent.newSession({ cwd: "/" });
      await agent.close();
    }
    const authorization = `Basic ${Buffer.from("user:pass").toString("base64")}`;
    expect(new Set(targets)).toEqual(new Set([`${authorization} 127.0.0.1:${server.port}`]));
  });
});

describe("a relayed agent", () => {
  it("has a transport for each connection; the transport ends with the connection", async () => {
    const ends: Promise<unknown>[] = [];
    const relayed = relayAgent(() => {
      const [ours, theirs] = linkedTransports();
      ends.push(echoAgent().connect(theirs).closed);
      return ours;
    });
    await using server = await serveHttp(relayed);
    for (const source of [httpAgent(server.url), webSocketAgent(server.webSocketUrl)]) {
      const agent = await connectAgent(source);
      expect((await agent.newSession({ cwd: "/" })).sessionId).toBe("s1");
      await agent.close();
    }
    expect((await Promise.all(ends)).length).toBe(2);
  });
});

/**
 * A proxy whose tunnels all lead to one port of this machine. `targets` has the credentials and the target of each
 * tunnel.
 */
async function tunnelProxy(
  to: number,
  proxy: Server = createServer(),
): Promise<{ readonly port: number; readonly targets: readonly string[] }> {
  const targets: string[] = [];
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    targets.push(`${request.headers["proxy-authorization"]} ${request.url}`);
    const target = connect(to, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    for (const end of [socket, target]) end.on("error", () => {});
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  closers.push(() => proxy.close());
  return { port: (proxy.address() as AddressInfo).port, targets };
}

/** Serves a handler for standard `Request` objects with a plain HTTP server of Node. */
async function answer(
  handle: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: import("node:http").ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "GET", url = "/", headers } = request;
  const body = method === "POST" ? Buffer.concat(chunks) : null;
  const {
    status,
    headers: received,
    body: stream,
  } = await handle(new Request(`http://localhost${url}`, { method, headers: headers as Record<string, string>, body }));
  response.writeHead(status, Object.fromEntries(received));
  response.flushHeaders();
  if (stream !== null) for await (const chunk of stream) response.write(chunk);
  response.end();
}

it.each([
  ["user:secret", "user:secret"],
  ["us%65r:a%40b", "user:a@b"],
  ["user:50%off", "user:50%off"],
  [":secret", ":secret"],
  ["user", "user:"],
])("authenticates to a proxy with %s", (given, sent) => {
  const header = proxyAuthorization(new URL(`http://${given}@proxy.example`))["proxy-authorization"];
  expect(header).toBe(`Basic ${Buffer.from(sent).toString("base64")}`);
});
