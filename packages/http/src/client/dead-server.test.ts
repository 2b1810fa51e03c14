import { connectAgent } from "@acp-kit/client";
import type { Transport } from "@acp-kit/jsonrpc";
import { afterEach, expect, it, vi } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { inProcessFetch } from "../../test/in-process-fetch.js";
import { createAcpHandler } from "../server/acp-handler.js";
import type { WebSocketLike } from "../wire/text-socket.js";
import { fetchAgent } from "./http-agent.js";
import { webSocketAgent } from "./web-socket-agent.js";

afterEach(() => void vi.useRealTimers());

const fakeTimers = () =>
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });

/** A WebSocket that the test controls. Like the standard one, it accepts only some codes. */
class PlayedWebSocket implements WebSocketLike {
  static last: PlayedWebSocket | undefined;
  closedWith: number | undefined;
  binaryType = "";
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  readonly #listeners: [string, (event: unknown) => void][] = [];

  constructor() {
    PlayedWebSocket.last = this;
    queueMicrotask(() => this.emit("open", {}));
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.#listeners.push([type, listener]);
  }

  emit(type: string, event: unknown): void {
    for (const [name, listener] of this.#listeners) if (name === type) listener(event);
  }

  send(): void {}
  close(code?: number): void {
    const isAllowed = code === undefined || code === 1000 || (code >= 3000 && code <= 4999);
    if (!isAllowed) throw new DOMException(`The code ${code} is not allowed.`, "InvalidAccessError");
    this.closedWith ??= code;
  }
}

/** The error that ends a transport. */
function failureOf(transport: Transport): Promise<unknown> {
  return new Promise((failed) => transport.start({ message: () => {}, malformed: () => {}, ended: () => {}, failed }));
}

it("remote.dead-peers: a WebSocket fails with a timeout when its server stops sending keep-alives", async () => {
  fakeTimers();
  const agent = webSocketAgent("ws://localhost/acp", { WebSocket: PlayedWebSocket });
  const failure = failureOf(await agent.open());
  await vi.advanceTimersByTimeAsync(100_000); // a server that never sent keep-alives may be silent
  PlayedWebSocket.last?.emit("message", { data: new ArrayBuffer(0) });
  await vi.advanceTimersByTimeAsync(44_000);
  PlayedWebSocket.last?.emit("message", { data: new ArrayBuffer(0) });
  await vi.advanceTimersByTimeAsync(47_000);
  expect(await failure).toMatchObject({ name: "RemoteError", code: "timeout" });
  expect(PlayedWebSocket.last?.closedWith).toBe(4011);
});

it("a standard WebSocket ends when the caller's signal aborts", async () => {
  const controller = new AbortController();
  const transport = await webSocketAgent("ws://localhost/acp", {
    WebSocket: PlayedWebSocket,
    signal: controller.signal,
  }).open();
  const failure = failureOf(transport);
  await new Promise((resolve) => setImmediate(resolve)); // the socket is open
  controller.abort();
  expect(await failure).toMatchObject({ name: "RemoteError", code: "aborted" });
  expect(PlayedWebSocket.last?.closedWith).toBe(4011);
});

it.each([
  [200, { code: "timeout" }],
  [500, { code: "refused", status: 500, body: "{" }],
])(
  "remote.dead-peers: a connection fails if the body of the response to initialize, with status %i, does not end",
  async (status, error) => {
    fakeTimers();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
    const headers = { "acp-connection-id": "c" };
    const fetch = inProcessFetch(async () => new Response(body, { status, headers }));
    const transport = await fetchAgent("http://localhost/acp", { fetch, reconnect: false }).open();
    const failure = failureOf(transport);
    transport.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failure).toMatchObject({ name: "RemoteError", ...error });
  },
);

it("remote.dead-peers: a stream is opened again when its server stops sending keep-alives", async () => {
  fakeTimers();
  const handler = createAcpHandler(echoAgent(), { limits: { keepAliveMs: 5_000, stallTimeoutMs: 1_000_000 } });
  let isDead = false;
  const opened: (string | null)[] = [];
  const fetch = inProcessFetch(handler.fetch, {
    response: (response, request) => {
      if (request.method !== "GET") return undefined;
      opened.push(request.headers.get("last-event-id"));
      if (opened.length > 1) return undefined;
      const swallow = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          if (!isDead) controller.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(swallow), response);
    },
  });
  const agent = await connectAgent(fetchAgent("http://localhost/acp", { fetch }));
  await vi.advanceTimersByTimeAsync(12_000);
  isDead = true;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(opened).toEqual([null]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(opened).toEqual([null, "0"]);
  vi.useRealTimers();
  await agent.newSession({ cwd: "/" });
  await agent.close();
  await handler.close();
});
