import { connectAgent } from "@acp-kit/client";
import { afterEach, describe, expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { initializeRequest } from "../../test/raw-client.js";
import { webSocketAgent } from "../client/web-socket-agent.js";
import { type AcpHandler, createAcpHandler } from "./acp-handler.js";
import { type BunHandlers, type BunWebSocketLike, bunHandlers } from "./bun-handlers.js";
import { tokenAuthentication } from "./principal.js";

const url = "http://localhost/acp";
const upgradeRequest = (headers: Record<string, string> = {}): Request =>
  new Request(url, { headers: { upgrade: "websocket", ...headers } });

let handler: AcpHandler;
afterEach(() => handler.close());

/**
 * A fake of Bun's server. It upgrades if `upgrades` is true, and keeps the data and the headers of the last upgrade.
 */
function bunServer(upgrades = true) {
  const last: { headers?: Record<string, string>; data?: unknown } = {};
  return { last, upgrade: (_: Request, options: object) => upgrades && Object.assign(last, options) !== undefined };
}

/** The client's end of one of Bun's sockets, as a constructor of standard sockets. */
function socketsOf({ websocket }: BunHandlers, data: unknown) {
  return class extends EventTarget {
    readonly readyState = 1;
    readonly #server: BunWebSocketLike;

    constructor() {
      super();
      const emit = (type: string, event: object): void =>
        queueMicrotask(() => this.dispatchEvent(Object.assign(new Event(type), event)));
      this.#server = {
        data,
        readyState: 1,
        send: (text) => {
          emit("message", { data: text });
          return 1;
        },
        close: (code, reason) => emit("close", { code: code ?? 1005, reason: reason ?? "" }),
        getBufferedAmount: () => 0,
      };
      websocket.open(this.#server);
      emit("open", {});
    }

    send(text: string): void {
      queueMicrotask(() => websocket.message(this.#server, text));
    }

    close(code: number, reason: string): void {
      queueMicrotask(() => {
        websocket.close(this.#server, code, reason);
        this.dispatchEvent(Object.assign(new Event("close"), { code, reason }));
      });
    }
  };
}

describe("the handlers of Bun", () => {
  it("serve the agent over a socket, and end the connection when the socket closes", async () => {
    handler = createAcpHandler(echoAgent());
    const handlers = bunHandlers(handler);
    const server = bunServer();
    expect(await handlers.fetch(upgradeRequest({ "sec-websocket-protocol": "acp" }), server)).toBeUndefined();
    expect(server.last.headers).toEqual({
      "acp-connection-id": expect.stringMatching(/^[\w-]{24}$/),
      "sec-websocket-protocol": "acp",
    });
    const agent = await connectAgent(
      webSocketAgent(url, { WebSocket: socketsOf(handlers, server.last.data) as never }),
    );
    const session = await agent.newSession({ cwd: "/" });
    expect((await session.prompt("hello").result).stopReason).toBe("end_turn");
    expect(handler.connections).toBe(1);
    await agent.close();
    await expect.poll(() => handler.connections, { timeout: 20_000 }).toBe(0);
  });

  it("refuse an upgrade with the handler's response, and do not count a connection that Bun does not upgrade", async () => {
    handler = createAcpHandler(echoAgent(), { authenticate: tokenAuthentication("secret") });
    const { fetch } = bunHandlers(handler);
    expect((await fetch(upgradeRequest(), bunServer()))?.status).toBe(401);
    const request = upgradeRequest({ authorization: "Bearer secret" });
    expect((await fetch(request, bunServer(false)))?.status).toBe(400);
    await expect.poll(() => handler.connections, { timeout: 20_000 }).toBe(0);
  });

  it("forward every other request to the handler", async () => {
    handler = createAcpHandler(echoAgent());
    const headers = { "content-type": "application/json" };
    const request = new Request(url, { method: "POST", headers, body: JSON.stringify(initializeRequest) });
    expect((await bunHandlers(handler).fetch(request, bunServer()))?.status).toBe(200);
  });
});
