import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { connectAgent } from "@acp-kit/client";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { echoAgent } from "../../test/echo-agent.js";
import { webSocketAgent } from "../node/remote-agents.js";
import { type AcpHandler, createAcpHandler } from "./acp-handler.js";
import { tokenAuthentication } from "./principal.js";

const url = "http://localhost/acp";

/** One end of a pair of standard sockets, like those of Workers. */
class FakeSocket extends EventTarget {
  readyState: number;
  readonly sent: string[] = [];
  peer: FakeSocket | undefined;

  constructor(readyState: number) {
    super();
    this.readyState = readyState;
  }

  send(data: string | Uint8Array): void {
    if (typeof data !== "string") return;
    this.sent.push(data);
    queueMicrotask(() => this.peer?.dispatchEvent(Object.assign(new Event("message"), { data })));
  }

  close(code = 1005, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    const event = () => Object.assign(new Event("close"), { code, reason });
    queueMicrotask(() => {
      this.dispatchEvent(event());
      if (this.peer !== undefined) this.peer.close(code, reason);
    });
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
}

function pair(serverState = 1): [client: FakeSocket, server: FakeSocket] {
  const client = new FakeSocket(1);
  const server = new FakeSocket(serverState);
  client.peer = server;
  server.peer = client;
  return [client, server];
}

const handlers: AcpHandler[] = [];
const serve: typeof createAcpHandler = (agent, options) => {
  const handler = createAcpHandler(agent, options);
  handlers.push(handler);
  return handler;
};
afterEach(async () => {
  await Promise.all(handlers.splice(0).map((handler) => handler.close()));
});

/** A client of a handler over a pair of sockets. */
async function connect(handler: AcpHandler) {
  const upgrade = await handler.upgrade(new Request(url));
  if (upgrade.is !== "accepted") throw new Error(`refused with ${upgrade.response.status}`);
  const [client, server] = pair(0);
  upgrade.accept(server);
  server.open();
  const Socket = class {
    constructor() {
      queueMicrotask(() => client.dispatchEvent(new Event("open")));
      // biome-ignore lint/correctness/noConstructorReturn: the constructor of a socket that is open already
      return client;
    }
  };
  return connectAgent(webSocketAgent("ws://localhost/acp", { WebSocket: Socket as never }));
}

describe("an upgrade on a platform with standard sockets", () => {
  it("serves the agent over the server's end of the socket, and ends with it", async () => {
    const handler = serve(echoAgent());
    const agent = await connect(handler);
    expect(handler.connections).toBe(1);
    const session = await agent.newSession({ cwd: "/" });
    expect((await session.prompt("hello").result).stopReason).toBe("end_turn");
    await agent.close();
    await expect.poll(() => handler.connections, { timeout: 20_000 }).toBe(0);
  });

  it("responds with the id of the connection and the sub-protocol", async () => {
    const headers = { "sec-websocket-protocol": "other, acp" };
    const upgrade = await serve(echoAgent()).upgrade(new Request(url, { headers }));
    expect(upgrade).toMatchObject({
      is: "accepted",
      protocol: "acp",
      headers: { "acp-connection-id": expect.stringMatching(/^[\w-]{24}$/) },
    });
  });

  it("returns the response for a refusal because of credentials, hosts or limits", async () => {
    const handler = serve(echoAgent(), {
      authenticate: tokenAuthentication("secret"),
      limits: { maxConnections: 1 },
    });
    const status = async (init: RequestInit, at = url) => {
      const upgrade = await handler.upgrade(new Request(at, init));
      return upgrade.is === "refused" ? upgrade.response.status : 101;
    };
    const authorization = "Bearer secret";
    expect(await status({})).toBe(401);
    expect(await status({ headers: { authorization } }, "http://other.example/acp")).toBe(403);
    expect(await status({ headers: { authorization } })).toBe(101);
    expect(await status({ headers: { authorization } })).toBe(503);
  });

  it("no longer counts the connection when the socket closes before it is open", async () => {
    const handler = serve(echoAgent());
    const upgrade = await handler.upgrade(new Request(url));
    if (upgrade.is !== "accepted") throw new Error("refused");
    const [, server] = pair(0);
    upgrade.accept(server);
    server.close();
    await expect.poll(() => handler.connections, { timeout: 20_000 }).toBe(0);
  });

  it.each([2, 3])("does not count the connection of a closed socket: readyState %i", async (readyState) => {
    const handler = serve(echoAgent());
    const upgrade = await handler.upgrade(new Request(url));
    if (upgrade.is !== "accepted") throw new Error("refused");
    expect(handler.connections).toBe(1);
    upgrade.accept(pair(readyState)[1]);
    await expect.poll(() => handler.connections, { timeout: 20_000 }).toBe(0);
  });

  it("accepts sockets of the library ws, on any server", async () => {
    const handler = serve(echoAgent());
    const sockets = new WebSocketServer({ noServer: true });
    const server = createServer();
    server.on("upgrade", async (request: IncomingMessage, socket, head) => {
      const upgrade = await handler.upgrade(new Request(`http://${request.headers.host}${request.url}`));
      if (upgrade.is === "accepted") sockets.handleUpgrade(request, socket, head, (open) => upgrade.accept(open));
      else socket.destroy();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const agent = await connectAgent(webSocketAgent(`ws://127.0.0.1:${port}/acp`));
    const session = await agent.newSession({ cwd: "/" });
    expect((await session.prompt("hello").result).stopReason).toBe("end_turn");
    await agent.close();
    server.close();
  });
});
