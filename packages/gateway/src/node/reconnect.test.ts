import { type AddressInfo, createServer, connect as openSocket, type Socket } from "node:net";
import { type ConnectionChange, isRemoteError } from "@acp-kit/http";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { CuttingProxy } from "../../test/cutting-proxy.js";
import { RawClient } from "../../test/raw-client.js";
import { Served, type ServedOptions } from "../../test/served.js";
import { memoryEngine } from "../index.js";

const limits = { maxReconnectDelayMs: 20, reconnectTimeoutMs: 20_000 };
const profiles = [
  { profile: "streamable HTTP", agent: httpAgent, scheme: "http" },
  { profile: "WebSocket", agent: webSocketAgent, scheme: "ws" },
] as const;

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const action of cleanUp.splice(0).reverse()) await action();
});

/** A served gateway behind a proxy that cuts connections. */
async function start(options: ServedOptions = {}): Promise<{ served: Served; proxy: CuttingProxy }> {
  const served = await Served.start(options);
  const proxy = await CuttingProxy.start(served.server.port);
  cleanUp.push(
    () => served.close(),
    () => proxy.close(),
  );
  return { served, proxy };
}

it("gateway.reconnect: a message that the server refuses with 1009 as too large is not sent again", async () => {
  const { proxy } = await start({ limits: { maxMessageBytes: 10_000 } });
  const remote = webSocketAgent(`ws://127.0.0.1:${proxy.port}/acp`, { limits });
  const client = new RawClient(await remote.open());
  cleanUp.push(() => client.connection.close().then(() => {}));
  await client.initialize({});
  const session = await client.newSession();
  const prompt = [{ type: "text", text: "x".repeat(20_000) }];
  await expect(client.request("session/prompt", { sessionId: session, prompt })).rejects.toMatchObject({
    cause: { code: "refused", message: expect.stringContaining("1009") },
  });
  expect(proxy.opened).toBe(1);
});

describe.each(profiles)("gateway.reconnect: a client whose sockets are cut, over $profile", ({ agent, scheme }) => {
  async function connect(
    proxy: CuttingProxy,
    options: Parameters<typeof agent>[1] = {},
    capabilities: object = {},
  ): Promise<RawClient> {
    const remote = agent(`${scheme}://127.0.0.1:${proxy.port}/acp`, { limits, ...options });
    const client = new RawClient(await remote.open());
    cleanUp.push(() => client.connection.close().then(() => {}));
    await client.initialize(capabilities);
    return client;
  }

  it("receives a whole turn exactly once, after cuts at any byte", async () => {
    const { served, proxy } = await start();
    let run = 0;
    const cut = fc.integer({ min: 1, max: 6_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 8 }), async (cuts) => {
        run += 1;
        proxy.cutAfter([]);
        const client = await connect(proxy);
        const session = await client.newSession();
        const text = `run ${run}`;
        const { turn, response } = await served.turn(client, session, text);
        proxy.cutAfter(cuts);
        proxy.cut();
        const words = Array.from({ length: 60 }, (_, i) => `word ${i}; `);
        for (const word of words) {
          turn.say(word);
          await new Promise((resolve) => setImmediate(resolve));
        }
        turn.end();
        expect(await response).toMatchObject({ stopReason: "end_turn" });
        expect(client.text).toBe(words.join(""));
        expect(client.log.filter((line) => line.startsWith("user"))).toEqual([]);
        expect(served.agents.flatMap(({ turns }) => turns).filter((one) => one.text === text)).toHaveLength(1);
        await client.connection.close();
      }),
      { numRuns: 25 },
    );
    expect(proxy.cutCount).toBeGreaterThan(25);
  }, 60_000);

  it("keeps a permission request open, shows it once, and sends its response on the next connection", async () => {
    const { served, proxy } = await start();
    const client = await connect(proxy);
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "go");
    const permission = turn.permission();
    await client.until(() => client.requests.length === 1);
    proxy.cut();
    turn.say("meanwhile");
    await client.until(() => client.text === "meanwhile");
    proxy.down();
    client.requests[0]?.respond({ outcome: { outcome: "selected", optionId: "yes" } });
    proxy.up();
    expect(await permission).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
    turn.end();
    await response;
    expect(client.requests).toHaveLength(1);
  });

  it("cancels a permission request to which another client responded meanwhile", async () => {
    const { served, proxy } = await start();
    const client = await connect(proxy);
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "go");
    const other = new RawClient(await agent(served.server[scheme === "ws" ? "webSocketUrl" : "url"]).open());
    await other.initialize();
    await other.load(session);
    const permission = turn.permission();
    await client.until(() => client.requests.length === 1);
    await other.until(() => other.requests.length === 1);
    proxy.down();
    other.requests[0]?.respond({ outcome: { outcome: "selected", optionId: "no" } });
    expect(await permission).toEqual({ outcome: { outcome: "selected", optionId: "no" } });
    proxy.up();
    await client.until(() => client.log.includes("session/request_permission cancelled"));
    turn.end();
    await response;
    await other.connection.close();
  });

  it("creates only one session if the response to session/new was lost", async () => {
    const { served, proxy } = await start();
    const client = await connect(proxy);
    const creating = client.newSession();
    while (!served.agents.some((one) => one.methods().includes("session/new")))
      await new Promise((resolve) => setImmediate(resolve));
    proxy.cut();
    const session = await creating;
    expect((await client.request("session/list")).sessions).toMatchObject([{ sessionId: session }]);
  });

  it("continues a replay after a cut", async () => {
    const { served, proxy } = await start();
    const author = await connect(proxy);
    const session = await author.newSession();
    for (let i = 0; i < 30; i += 1) {
      const { turn, response } = await served.turn(author, session, `question ${i}`);
      turn.say(`answer ${i}`);
      turn.end();
      await response;
    }
    await author.connection.close();
    const expected = Array.from({ length: 30 }, (_, i) => [`user: question ${i}`, `agent: answer ${i}`]).flat();
    for (const bytes of [300, 700, 1_500, 3_000, 5_000]) {
      const client = await connect(proxy);
      proxy.cutAfter([bytes, bytes]);
      const loading = client.load(session);
      proxy.cut();
      await loading;
      expect(client.log.filter((line) => !line.includes("->"))).toEqual(expected);
      await client.connection.close();
    }
  });

  it("sends a prompt that was cancelled during the disconnect, and then cancels it", async () => {
    const { served, proxy } = await start();
    const client = await connect(proxy);
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "go");
    proxy.down();
    await client.connection.notify("session/cancel", { sessionId: session });
    proxy.up();
    while (!turn.isCancelled) await new Promise((resolve) => setImmediate(resolve));
    turn.end("cancelled");
    expect(await response).toMatchObject({ stopReason: "cancelled" });
  });

  /** A client whose sockets are cut, in a session in which another client runs a turn. */
  async function joined() {
    const { served, proxy } = await start();
    const direct = agent(`${scheme}://127.0.0.1:${served.server.port}/acp`, { limits });
    const other = new RawClient(await direct.open());
    cleanUp.push(() => other.connection.close().then(() => {}));
    await other.initialize();
    const session = await other.newSession();
    const { turn, response } = await served.turn(other, session, "of the other client");
    const client = await connect(proxy);
    expect(await client.load(session)).toMatchObject({ _meta: { "acp-kit/turn": "running" } });
    const cancel = (): unknown => client.connection.notify("session/cancel", { sessionId: session });
    return { served, proxy, other, client, session, turn, response, cancel };
  }

  it("cancels the turn of another client, although the cancellation was sent just before the cut", async () => {
    const { proxy, turn, response, cancel } = await joined();
    void cancel();
    proxy.cut();
    while (!turn.isCancelled) await new Promise((resolve) => setImmediate(resolve));
    turn.end("cancelled");
    expect(await response).toMatchObject({ stopReason: "cancelled" });
  });

  it.each(["before", "during"] as const)(
    "does not cancel a later turn by a cancellation that was sent just %s the disconnect",
    async (when) => {
      const { served, proxy, other, client, session, turn, response, cancel } = await joined();
      if (when === "before") void cancel();
      proxy.down();
      if (when === "during") void cancel();
      turn.end();
      await response;
      const { turn: later, response: laterResponse } = await served.turn(other, session, "later");
      proxy.up();
      const queued = served.turn(client, session, "queued"); // the cancellation is handled before this prompt
      await client.until(() => client.updates.some(({ params }) => JSON.stringify(params).includes("later")));
      later.end();
      expect(await laterResponse).toMatchObject({ stopReason: "end_turn" });
      const { turn: last, response: lastResponse } = await queued;
      expect(later.isCancelled).toBe(false);
      last.end();
      expect(await lastResponse).toMatchObject({ stopReason: "end_turn" });
    },
  );

  it("reports that the connection was lost and restored", async () => {
    const { proxy } = await start();
    const changes: ConnectionChange["is"][] = [];
    const client = await connect(proxy, { onConnectionChange: ({ is }) => void changes.push(is) });
    const session = await client.newSession();
    proxy.cut();
    expect((await client.request("session/list")).sessions).toMatchObject([{ sessionId: session }]);
    expect(changes).toEqual(["lost", "restored"]);
  });

  it("fails with a typed error after reconnectTimeoutMs", async () => {
    const { proxy } = await start();
    const client = await connect(proxy, { limits: { ...limits, reconnectTimeoutMs: 200 } });
    proxy.down();
    const { cause } = await client.connection.closed;
    expect(isRemoteError(cause) && cause.code).toMatch(/^(connection_lost|unreachable)$/);
  });

  it("gives up after reconnectTimeoutMs if each restored connection breaks when the pending call is sent again", async () => {
    const { served } = await start();
    const tooLong = 100_000;
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => {
      const upstream = openSocket(served.server.port, "127.0.0.1");
      const cut = (): void => {
        socket.destroy();
        upstream.destroy();
      };
      for (const one of [socket, upstream]) {
        sockets.add(one.on("error", () => {}).on("close", cut));
      }
      upstream.pipe(socket);
      let received = 0;
      socket.on("data", (bytes) => {
        received += bytes.length;
        if (received > tooLong) cut();
        else upstream.write(bytes);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    cleanUp.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    });
    const { port } = proxy.address() as AddressInfo;
    const changes: ConnectionChange["is"][] = [];
    const client = await connect({ port } as CuttingProxy, {
      limits: { reconnectTimeoutMs: 1_000 },
      onConnectionChange: ({ is }) => void changes.push(is),
    });
    const session = await client.newSession();
    const prompt = [{ type: "text", text: "x".repeat(2 * tooLong) }];
    await expect(client.request("session/prompt", { sessionId: session, prompt })).rejects.toMatchObject({
      code: "transport_failed",
    });
    expect(changes.length).toBeLessThan(30);
  });

  it("continues each time if its connection breaks again and again, but messages arrive in between", async () => {
    const { served, proxy } = await start();
    const client = await connect(proxy, { limits: { reconnectTimeoutMs: 5_000 } });
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "go");
    let expected = "";
    for (let cut = 0; cut < 10; cut += 1) {
      turn.say(`before ${cut}; `);
      expected += `before ${cut}; `;
      await client.until(() => client.text === expected);
      proxy.cut();
      turn.say(`after ${cut}; `);
      expected += `after ${cut}; `;
      await client.until(() => client.text === expected);
    }
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
  });

  it("continues at another replica while the turn runs", async () => {
    const engine = memoryEngine();
    const { served, proxy } = await start({ gateway: { engine } });
    const other = await Served.start({ gateway: { engine } });
    cleanUp.push(() => other.close());
    const client = await connect(proxy);
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "go");
    const permission = turn.permission();
    await client.until(() => client.requests.length === 1);
    proxy.down();
    turn.say("one ");
    proxy.up(other.server.port);
    await client.until(() => client.text === "one ");
    client.requests[0]?.respond({ outcome: { outcome: "cancelled" } });
    expect(await permission).toEqual({ outcome: { outcome: "cancelled" } });
    turn.say("two");
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(client.text).toBe("one two");
    expect(client.requests).toHaveLength(1);
    expect(other.agents.flatMap(({ turns }) => turns)).toEqual([]);
  });

  it("moves to another replica when its own is drained, without an error for the application", async () => {
    const engine = memoryEngine();
    const { served, proxy } = await start({ gateway: { engine } });
    const other = await Served.start({ gateway: { engine } });
    cleanUp.push(() => other.close());
    const client = await connect(proxy);
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "go");
    const drained = served.server.drain({ graceMs: 5_000 });
    proxy.up(other.server.port);
    turn.say("the end");
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    await drained;
    expect((await client.request("session/list")).sessions).toMatchObject([{ sessionId: session }]);
    expect(client.text).toBe("the end");
  });

  it("still delegates files to a client that was disconnected for a short time", async () => {
    const { served, proxy } = await start({ gateway: { policy: { delegate: { files: true } } } });
    const client = await connect(proxy, {}, { fs: { readTextFile: true } });
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "go");
    const content = turn.request("fs/read_text_file", { path: "/a" });
    await client.until(() => client.requests.length === 1);
    proxy.cut();
    turn.say("meanwhile");
    await client.until(() => client.text === "meanwhile");
    client.requests[0]?.respond({ content: "text" });
    expect(await content).toEqual({ content: "text" });
    turn.end();
    await response;
    expect(client.requests).toHaveLength(1);
  });

  it("does not connect again if the option is off", async () => {
    const { served, proxy } = await start();
    const client = await connect(proxy, { reconnect: false, limits: { ...limits, reconnectTimeoutMs: 100 } });
    await client.newSession();
    proxy.down();
    await client.connection.closed;
    proxy.up();
    expect(served.server.connections).toBeLessThanOrEqual(1);
  });
});

it("gateway.reconnect: a turn continues on another server if only the session's stream detects that the server is gone", async () => {
  const engine = memoryEngine();
  const { served, proxy } = await start({ gateway: { engine } });
  const other = await Served.start({ gateway: { engine } });
  cleanUp.push(() => other.close());
  const connections = new Set<string | null>();
  /** Connections whose connection stream can't be opened again. */
  const unreachable = new Set<string | null>();
  const fetchSome = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    const isOfConnection = init.method === "GET" && !headers.has("acp-session-id");
    if (isOfConnection && unreachable.has(headers.get("acp-connection-id"))) throw new TypeError("fetch failed");
    if (init.method === "GET") connections.add(headers.get("acp-connection-id"));
    return fetch(url, init);
  };
  const remote = httpAgent(`http://127.0.0.1:${proxy.port}/acp`, { limits, fetch: fetchSome });
  const client = new RawClient(await remote.open());
  cleanUp.push(() => client.connection.close().then(() => {}));
  await client.initialize();
  const session = await client.newSession();
  const { turn, response } = await served.turn(client, session, "go");
  for (const connection of connections) unreachable.add(connection);
  proxy.down();
  proxy.up(other.server.port);
  turn.say("one");
  turn.end();
  expect(await response).toMatchObject({ stopReason: "end_turn" });
  expect(client.text).toBe("one");
});
