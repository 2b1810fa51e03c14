import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { connectAgent } from "@acp-kit/client";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { echoAgent } from "../../test/echo-agent.js";
import { initializeRequest, RawClient } from "../../test/raw-client.js";
import type { FetchLike } from "../client/http-agent-options.js";
import { createAcpHandler } from "../server/acp-handler.js";
import { createDirectHandler } from "../server/direct-server.js";
import type { FixedServerLimits } from "../server/handler-options.js";
import { tokenAuthentication } from "../server/principal.js";
import type { AgentChoice } from "../server/served-agent.js";
import { createNodeFetch } from "./node-fetch.js";
import { httpAgent, webSocketAgent } from "./remote-agents.js";
import { type HttpAgentServer, type ServeHttpOptions, serveHttp, serveHttpWith } from "./serve-http.js";

const servers: HttpAgentServer[] = [];
const serve = async (
  agent: AgentChoice,
  options: ServeHttpOptions = {},
  fixed?: Partial<FixedServerLimits>,
): Promise<HttpAgentServer> => {
  const server = await serveHttpWith(agent, options, fixed);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function text(turn: AsyncIterable<unknown>): Promise<string> {
  let all = "";
  for await (const update of turn) all += (update as { content?: { text?: string } }).content?.text ?? "";
  return all;
}

// Over HTTP/2, nginx forwards the headers of a stream only together with its first bytes, and clients wait for the
// headers.
it.each([
  ["HTTP/1.1", globalThis.fetch],
  ["HTTP/2", createNodeFetch()],
] as const)("begins a stream with bytes of its body, before any message (%s)", async (_, send) => {
  const server = await serve(echoAgent(), { limits: { keepAliveMs: Number.POSITIVE_INFINITY } });
  const client = new RawClient((request) => sendOver(send, request), server.url);
  await client.initialize();
  const stream = await client.request("GET", { accept: "text/event-stream" });
  const first = await stream.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toBe("\n");
});

async function sendOver(send: FetchLike, request: Request): Promise<Response> {
  const { method, url } = request;
  const headers = Object.fromEntries(request.headers);
  return send(url, { method, headers, ...(method === "POST" && { body: await request.text() }) });
}

const profiles = {
  "streamable HTTP": { connect: httpAgent, address: ({ url }: HttpAgentServer) => url },
  WebSocket: { connect: webSocketAgent, address: ({ webSocketUrl }: HttpAgentServer) => webSocketUrl },
} as const;

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

describe.each(Object.entries(profiles))("over %s", (_, { connect: source, address }) => {
  it.skipIf(!hasIpv6)("connects to an IPv6 address", async () => {
    const server = await serve(echoAgent(), { host: "::1" });
    const agent = await connectAgent(source(address(server)));
    const session = await agent.newSession({ cwd: "/" });
    expect(await text(session.prompt("hello"))).toBe("hello");
    await agent.close();
  });

  it("sends prompts and permission requests, loads a session, and ends the connection on the server", async () => {
    const server = await serve(echoAgent({ history: Array.from({ length: 200 }, (_, index) => `${index}`) }));
    const agent = await connectAgent(source(address(server)), { permissions: [async () => "allow_once"] });
    expect(server.connections).toBe(1);
    const session = await agent.newSession({ cwd: "/" });
    expect(await text(session.prompt("hello"))).toBe("hello");
    expect(await text(session.prompt("permit"))).toBe("allowed: true");
    let updates = 0;
    await agent.loadSession(
      { sessionId: "old", cwd: "/" },
      {
        onUpdate: () => {
          updates += 1;
        },
      },
    );
    expect(updates).toBe(200);
    await agent.close();
    await expect.poll(() => server.connections).toBe(0);
  });

  it("cancels a turn", async () => {
    const server = await serve(
      echoAgent({
        prompt: (turn) => new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve(undefined))),
      }),
    );
    await using agent = await connectAgent(source(address(server)));
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("wait");
    turn.cancel();
    expect((await turn.result).stopReason).toBe("cancelled");
  });

  it("carries messages of megabytes in both directions", async () => {
    const server = await serve(echoAgent());
    await using agent = await connectAgent(source(address(server)));
    const session = await agent.newSession({ cwd: "/" });
    const large = "é\u2028x".repeat(500_000);
    expect(await text(session.prompt(large))).toBe(large);
  });

  it("authenticates with a token, and gets a new token once", async () => {
    const server = await serve(echoAgent(), { authenticate: tokenAuthentication("second") });
    const asked: boolean[] = [];
    const token = ({ refresh }: { refresh: boolean }) => {
      asked.push(refresh);
      return refresh ? "second" : "first";
    };
    await using agent = await connectAgent(source(address(server), { token }));
    await agent.newSession({ cwd: "/" });
    expect(asked).toEqual([false, true]);
    await expect(connectAgent(source(address(server), { token: "wrong" }))).rejects.toMatchObject({
      code: "transport_failed",
      cause: { code: "unauthorized", status: 401 },
    });
  });

  it("rejects with the code `unreachable` if no server listens", async () => {
    const server = await serve(echoAgent());
    await server.close();
    await expect(connectAgent(source(address(server)))).rejects.toMatchObject({ cause: { code: "unreachable" } });
  });

  it("connects again after a restart of the server at the same port, and opens the session again", async () => {
    const first = await serve(echoAgent());
    await using agent = await connectAgent(
      source(address(first), { limits: { reconnectTimeoutMs: 2_000, maxReconnectDelayMs: 50 } }),
    );
    const session = await agent.newSession({ cwd: "/" });
    await text(session.prompt("before"));
    await first.close();
    await serve(echoAgent(), { port: first.port });
    await expect.poll(() => agent.state, { timeout: 10_000 }).toBe("disconnected");
    expect(await text(session.prompt("after"))).toBe("after");
  });

  it("remote.back-pressure: pauses an agent whose client does not read, instead of queueing its messages", async () => {
    let sent = 0;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const chunk = "x".repeat(10_000);
    const server = await serve(
      echoAgent({
        prompt: async (turn) => {
          for (; sent < 5_000 && !turn.signal.aborted; sent += 1) await turn.message(chunk);
          end();
        },
      }),
    );
    const agent = await connectAgent(source(address(server)), { limits: { maxBacklogBytes: 100_000 } });
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("go");
    const iterator = turn[Symbol.asyncIterator]();
    await iterator.next(); // reads only one update
    let before = -1;
    await expect
      .poll(
        () => {
          const same = sent === before;
          before = sent;
          return same && sent > 1;
        },
        { interval: 200, timeout: 20_000 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(4_000); // as many as pipes and queues hold
    await agent.close();
    await ended;
  });
});

describe("one port", () => {
  it("serves h2c by prior knowledge, HTTP/1.1 and WebSocket (RT-03)", async () => {
    const server = await serve(echoAgent());
    const session = connectHttp2(new URL(server.url).origin);
    const stream = session.request({ ":method": "POST", ":path": "/acp", "content-type": "application/json" });
    stream.end(JSON.stringify(initializeRequest));
    const [headers] = await once(stream, "response");
    expect([headers[":status"], typeof headers["acp-connection-id"]]).toEqual([200, "string"]);
    session.destroy();
    const raw = new RawClient((request) => fetch(request), server.url);
    expect((await raw.initialize()).status).toBe(200);
    await raw.delete();
    const webSocket = new WebSocket(server.webSocketUrl);
    const [response] = await once(webSocket, "upgrade");
    expect(response.headers["acp-connection-id"]).toMatch(/^[\w-]{24}$/); // RT-20
    webSocket.terminate();
  });

  it("ignores a byte order mark before the JSON of a POST, as the handler of the web platform does", async () => {
    const handler = createAcpHandler(echoAgent());
    const { url } = await serve(echoAgent());
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: `\ufeff${JSON.stringify(initializeRequest)}`,
    };
    expect((await fetch(url, init)).status).toBe(200);
    expect((await handler.fetch(new Request(url, init))).status).toBe(200);
    await handler.close();
  });

  it("responds 404 on other paths, unless a fallback handles them", async () => {
    const server = await serve(echoAgent(), {
      fallback: (_, response) => void (response as import("node:http").ServerResponse).end("page"),
    });
    expect(await (await fetch(new URL("/", server.url))).text()).toBe("page");
    const bare = await serve(echoAgent());
    expect((await fetch(new URL("/", bare.url))).status).toBe(404);
  });

  it("disconnects a client that never finishes its headers (slowloris)", async () => {
    const server = await serve(echoAgent(), { headersTimeoutMs: 50 });
    for (const beginning of ["", "POST /a", "POST /acp HTTP/1.1\r\nhost: localhost\r\nx: "]) {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(beginning);
      await once(socket.resume(), "close");
    }
  });
});

describe("a WebSocket", () => {
  const open = async (server: HttpAgentServer, headers = {}) => {
    const webSocket = new WebSocket(server.webSocketUrl, { headers });
    await once(webSocket, "open");
    return webSocket;
  };

  it("is closed with 1002 if its first message is not initialize (RT-21)", async () => {
    const server = await serve(echoAgent());
    for (const message of ["{", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/new", params: {} })]) {
      const webSocket = await open(server);
      webSocket.send(message);
      const [code] = await once(webSocket, "close");
      expect(code).toBe(1002);
    }
    await expect.poll(() => server.connections).toBe(0);
  });

  it("ignores binary frames (RT-22)", async () => {
    const server = await serve(echoAgent());
    const webSocket = await open(server);
    webSocket.send(Buffer.from(JSON.stringify(initializeRequest)));
    webSocket.send(JSON.stringify({ ...initializeRequest, id: 7 }));
    const [data] = await once(webSocket, "message");
    expect(JSON.parse(String(data)).id).toBe(7);
    webSocket.terminate();
  });

  it("is closed with 1009 if a message is larger than the limit", async () => {
    const server = await serve(echoAgent(), { limits: { maxMessageBytes: 1_000 } });
    const webSocket = await open(server);
    webSocket.on("error", () => {});
    webSocket.send("x".repeat(2_000));
    expect((await once(webSocket, "close"))[0]).toBe(1009);
  });

  it("is refused with 401 without a token, and with 403 from a page of another origin", async () => {
    const server = await serve(echoAgent(), { authenticate: tokenAuthentication("secret") });
    const refused = async (headers: Record<string, string>) => {
      const webSocket = new WebSocket(server.webSocketUrl, { headers });
      webSocket.on("error", () => {});
      const [, response] = await once(webSocket, "unexpected-response");
      return response.statusCode;
    };
    expect(await refused({})).toBe(401);
    expect(await refused({ authorization: "Bearer secret", origin: "https://evil.example" })).toBe(403);
    expect(await refused({ authorization: "Bearer secret", host: "evil.example" })).toBe(403);
  });

  it("accepts a token as a sub-protocol, as browsers send it, and selects the other one", async () => {
    const server = await serve(echoAgent(), { authenticate: tokenAuthentication("sécret") });
    const sockets: WebSocket[] = [];
    class BrowserSocket extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    }
    await using agent = await connectAgent(
      webSocketAgent(server.url, { token: "sécret", WebSocket: BrowserSocket as never }),
    );
    expect((await agent.newSession({ cwd: "/" })).sessionId).toBe("s1");
    expect(sockets).toMatchObject([{ protocol: "acp" }]);
  });

  it("remote.dead-peers: is ended by either side when its peer is silent", async () => {
    const server = await serve(echoAgent(), { limits: { keepAliveMs: 20 } }, { pongTimeoutMs: 200 });
    const deaf = await open(server, {});
    deaf.pause(); // now it responds to no ping
    deaf.send(JSON.stringify(initializeRequest));
    expect(server.connections).toBe(1);
    await expect.poll(() => server.connections, { timeout: 10_000 }).toBe(0);
    deaf.terminate();
  });
});

it("does not start with a limit that would not be applied", async () => {
  const start = (limits: object): Promise<unknown> => serve(echoAgent(), { limits });
  await expect(start({ maxMessageBytes: Number("64 MB") })).rejects.toThrow("limits.maxMessageBytes must be a number");
  await expect(start({ stallTimeoutMs: -1 })).rejects.toThrow("limits.stallTimeoutMs must be a number");
  await expect(start({ maxMessageByte: 64 })).rejects.toThrow(
    new TypeError('limits.maxMessageByte is unknown; did you mean "maxMessageBytes"?'),
  );
  const direct = (limits: object): unknown => createDirectHandler(echoAgent(), { limits });
  expect(() => direct({ maxMessageBytes: "64 MB" })).toThrow("limits.maxMessageBytes must be a number");
});

it("remote.local-by-default: refuses other machines unless it authenticates or is configured not to", async () => {
  await expect(serveHttp(echoAgent(), { host: "0.0.0.0" })).rejects.toThrow(TypeError);
  await expect(serveHttp(echoAgent(), { allowedHosts: ["agent.example.com"] })).rejects.toThrow(TypeError);
  const server = await serve(echoAgent(), { host: "0.0.0.0", authenticate: "none", allowedHosts: "any" });
  expect(server.port).toBeGreaterThan(0);
});
