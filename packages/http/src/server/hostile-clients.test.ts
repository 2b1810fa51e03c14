import type { Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { afterEach, describe, expect, it, vi } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { RawClient } from "../../test/raw-client.js";
import { scriptedAgent } from "../../test/scripted-agent.js";
import { type AcpHandler, acpHandlerWith } from "./acp-handler.js";
import { type AcpHandlerOptions, acpHandlerDefaults, type FixedServerLimits } from "./handler-options.js";
import { type Principal, tokenAuthentication } from "./principal.js";
import type { AgentChoice, ServedAgent } from "./served-agent.js";

const handlers: AcpHandler[] = [];
/** Serves an agent, with fixed limits that a test chooses. */
const serve = (agent: AgentChoice, options: AcpHandlerOptions = {}, fixed?: Partial<FixedServerLimits>): AcpHandler => {
  const handler = acpHandlerWith(agent, options, fixed);
  handlers.push(handler);
  return handler;
};
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(handlers.splice(0).map((handler) => handler.close()));
});

const fakeTimers = () =>
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });

describe("security", () => {
  it("remote.owner-scoped: the connection of another principal responds like one that does not exist, on every verb", async () => {
    const tokens = new Map([
      ["a", { user: "ann" }],
      ["b", { user: "bob" }],
      ["c", { user: "ann", tenant: "other" }],
      ["d", { user: "ann", access: "observe" as const }],
    ]);
    const handler = serve(echoAgent(), { authenticate: tokenAuthentication(tokens) });
    const ann = new RawClient(handler.fetch);
    await ann.initialize({ authorization: "Bearer a" });
    const asks = async (client: RawClient, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const responses = [
        await client.call("session/new", {}, headers),
        await client.stream(undefined, headers).then(({ response }) => response),
        await client.request("DELETE", headers),
      ];
      return Promise.all(
        responses.map(async (response) =>
          "text" in response ? [response.status, await response.text()] : response.status,
        ),
      );
    };
    const nothing = new RawClient(handler.fetch);
    nothing.connectionId = "does-not-exist";
    for (const token of ["b", "c", "d"]) {
      const other = new RawClient(handler.fetch);
      other.connectionId = ann.connectionId;
      expect(await asks(other, token)).toEqual(await asks(nothing, token));
    }
    expect((await ann.call("session/new", { cwd: "/", mcpServers: [] }, { authorization: "Bearer a" })).status).toBe(
      202,
    );
  });

  it("remote.local-by-default: a foreign Host or Origin is refused with 403, on every verb", async () => {
    const handler = serve(echoAgent());
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const request = (host: string, origin?: string) =>
        handler.fetch(
          new Request(`http://${host}/acp`, { method, ...(origin !== undefined && { headers: { origin } }) }),
        );
      expect([method, (await request("evil.example")).status]).toEqual([method, 403]);
      expect([method, (await request("localhost:8080", "https://evil.example")).status]).toEqual([method, 403]);
      expect([method, (await request("localhost:8080", "null")).status]).toEqual([method, 403]);
      expect([method, (await request("localhost:8080", "http://localhost:8080")).status]).not.toEqual([method, 403]);
      expect([method, (await request("[::1]:8080")).status]).not.toEqual([method, 403]);
      // In the URL that authenticate receives, the host would be evil.example
      const headers = { host: "localhost:80@evil.example" };
      const disguised = new Request("http://localhost/acp", { method, headers });
      expect([method, (await handler.fetch(disguised)).status]).toEqual([method, 403]);
    }
  });

  it("refuses the request when authenticate throws", async () => {
    const errors: unknown[] = [];
    const handler = serve(echoAgent(), {
      authenticate: () => {
        throw new Error("directory is down");
      },
      onError: (error) => errors.push(error),
    });
    const response = await new RawClient(handler.fetch).initialize();
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining("directory")]);
    expect(errors).toEqual([new Error("directory is down")]);
  });

  it("sends the response even if the listener for errors throws", async () => {
    const fails = (): never => {
      throw new Error("failed");
    };
    const handler = serve(echoAgent(), { authenticate: fails, onError: fails });
    expect((await new RawClient(handler.fetch).initialize()).status).toBe(500);
  });
});

describe("limits", () => {
  it("limits the connections of all principals and of one principal", async () => {
    const tokens = new Map([
      ["a", { user: "ann" }],
      ["b", { user: "bob" }],
    ]);
    const limits = { maxConnections: 3, maxConnectionsPerPrincipal: 2 };
    const handler = serve(echoAgent(), { authenticate: tokenAuthentication(tokens), limits });
    const open = async (token: string) => {
      const response = await new RawClient(handler.fetch).initialize({ authorization: `Bearer ${token}` });
      const { error } = (await response.json()) as { error?: { data?: { limit?: string } } };
      return [response.status, error?.data?.limit, response.headers.has("retry-after")];
    };
    expect([await open("a"), await open("a")]).toEqual([
      [200, undefined, false],
      [200, undefined, false],
    ]);
    expect(await open("a")).toEqual([429, "maxConnectionsPerPrincipal", true]);
    expect(await open("b")).toEqual([200, undefined, false]);
    expect(await open("b")).toEqual([503, "maxConnections", true]);
  });

  it("remote.shares: by default, no principal can open all connections; an observer has limits of its own, half as high", async () => {
    const { maxConnections, maxConnectionsPerPrincipal } = acpHandlerDefaults;
    expect(maxConnectionsPerPrincipal).toBeLessThan(maxConnections / 2);
    const tokens = new Map([
      ["ann", { user: "ann" }],
      ["watch", { user: "ann", access: "observe" as const }],
    ]);
    const limits = { maxConnectionsPerPrincipal: 4 };
    const handler = serve(echoAgent(), { authenticate: tokenAuthentication(tokens), limits });
    const upgrade = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const { is } = await handler.upgrade(new Request("http://localhost/acp", { headers }));
      return is;
    };
    // These sockets never send `initialize`.
    expect([await upgrade("watch"), await upgrade("watch"), await upgrade("watch")]).toEqual([
      "accepted",
      "accepted",
      "refused",
    ]);
    for (let count = 0; count < 4; count += 1) expect(await upgrade("ann")).toBe("accepted");
    expect(await upgrade("ann")).toBe("refused");
  });

  it("limits the sessions and open requests of a connection", async () => {
    const waits = echoAgent({
      prompt: (turn) => new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve(undefined))),
    });
    const handler = serve(waits, { limits: { maxOpenRequests: 2 } }, { maxSessionsPerConnection: 2 });
    const client = new RawClient(handler.fetch);
    await client.initialize();
    const main = await client.stream();
    const sessionId = await client.newSession(main);
    expect((await client.stream("b")).status).toBe(200);
    expect((await client.stream("c")).status).toBe(429);
    const prompt = () => client.call("session/prompt", { sessionId, prompt: [] });
    expect([(await prompt()).status, (await prompt()).status, (await prompt()).status]).toEqual([202, 202, 429]);
  });

  it("remote.back-pressure: limits the number and the bytes of POSTs that wait until the agent reads", async () => {
    let transport: Transport | undefined;
    let received = 0;
    const raw = scriptedAgent((_, peer) => {
      received += 1;
      if (received === 1) peer.respond(0, { protocolVersion: 1 });
    });
    const agent: ServedAgent = {
      connect(its) {
        transport = its;
        return raw.connect(its);
      },
    };
    const notify = async (client: RawClient, params: unknown) => {
      const response = await client.post({ jsonrpc: "2.0", method: "_n", params });
      return [response.status, response.headers.has("retry-after"), await response.text()];
    };
    const accepted = [202, false, ""];
    const refused = [429, true, expect.stringContaining('"limit":"maxQueuedBytes"')];
    const client = new RawClient(serve(agent, { limits: { maxQueuedBytes: 1_000 } }).fetch);
    await client.initialize();
    // A message of 1,200 characters, which waits alone; and one of 300 characters with 100 objects.
    for (const params of ["x".repeat(1_200), Array(100).fill({})]) {
      transport?.pause();
      const waiting = notify(client, params);
      // The POST has arrived
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(await notify(client, "xx")).toEqual(refused);
      transport?.resume();
      expect(await waiting).toEqual(accepted);
      expect(await notify(client, "xx")).toEqual(accepted);
    }
    const other = new RawClient(serve(agent).fetch);
    received = 0;
    await other.initialize();
    transport?.pause();
    const posts = Array.from({ length: 300 }, () => notify(other, {}));
    expect(await Promise.race(posts)).toEqual([429, true, expect.stringContaining("256 POSTs wait")]);
    transport?.resume();
    const statuses = (await Promise.all(posts)).map(([status]) => status);
    expect([statuses.filter((status) => status === 202).length, received - 1]).toEqual([256, 256]);
  });

  it("remote.bounded-memory: bodies that do not end are counted for a connection, a principal and the server", async () => {
    const tokens = new Map<string, Principal>([
      ["ann", { user: "ann" }],
      ["watch", { user: "ann", access: "observe" }],
    ]);
    const limits = { maxQueuedBytes: 10_000 };
    const handler = serve(echoAgent(), { authenticate: tokenAuthentication(tokens), limits });
    /**
     * Sends the beginning of a body on a new connection. Resolves with the status, or with `undefined` if the server
     * waits for the rest.
     */
    const begin = async (token: string, bytes: number) => {
      const authorization = { authorization: `Bearer ${token}` };
      const client = new RawClient(handler.fetch);
      await client.initialize(authorization);
      const part = new TextEncoder().encode(" ".repeat(bytes));
      const { promise: waits, resolve } = deferred<undefined>();
      let isFirst = true;
      const source = {
        pull(controller: ReadableStreamDefaultController<Uint8Array>) {
          if (isFirst) controller.enqueue(part);
          else resolve(undefined); // the server has taken the first part and reads on
          isFirst = false;
        },
      };
      const body = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
      const headers = {
        ...authorization,
        "acp-connection-id": client.connectionId,
        "content-type": "application/json",
      };
      const request = new Request("http://localhost/acp", { method: "POST", headers, body, duplex: "half" });
      return (await Promise.race([handler.fetch(request), waits]))?.status;
    };
    expect([await begin("watch", 9_000), await begin("watch", 2_000)]).toEqual([undefined, 429]);
    expect([await begin("ann", 9_000), await begin("ann", 9_000), await begin("ann", 3_000)]).toEqual([
      undefined,
      undefined,
      429,
    ]);
  });

  it("remote.bounded-memory: a stream counts even if it is empty", async () => {
    const handler = serve(echoAgent(), { limits: { maxQueuedBytes: 8_000 } });
    const client = new RawClient(handler.fetch);
    await client.initialize();
    const statuses = [];
    for (const session of ["a", "b", "c", "d", "e"]) statuses.push((await client.stream(session)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it("lets a page of a listed origin read when it may repeat a refused POST", async () => {
    const origin = "https://app.example";
    const handler = serve(echoAgent(), { allowedOrigins: [origin] });
    const client = new RawClient(handler.fetch);
    const { headers } = await client.initialize({ origin });
    const exposed = headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["acp-connection-id", "retry-after", "idempotency-key"]));
    const preflight = await client.request("OPTIONS", { origin });
    const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
    expect(allowed).toEqual(expect.arrayContaining(["acp-session-id", "idempotency-key", "last-event-id", "prefer"]));
  });

  it("remote.back-pressure: the connection of an agent that does not wait ends at maxQueuedBytes", async () => {
    const flooding = echoAgent({
      prompt: async (turn) => {
        for (let index = 0; index < 1_000; index += 1) void turn.message("x".repeat(1_000));
      },
    });
    const handler = serve(flooding, { limits: { maxQueuedBytes: 100_000 } });
    const client = new RawClient(handler.fetch);
    await client.initialize();
    const sessionId = await client.newSession(await client.stream());
    await client.call("session/prompt", { sessionId, prompt: [] });
    await expect.poll(() => handler.connections).toBe(0);
  });

  it("remote.dead-peers: ends the connection of a client without any stream after idleTimeoutMs, and of a client that reads nothing after stallTimeoutMs", async () => {
    fakeTimers();
    const handler = serve(echoAgent(), { limits: { idleTimeoutMs: 5_000, stallTimeoutMs: 20_000 } });
    const absent = new RawClient(handler.fetch);
    await absent.initialize();
    await vi.advanceTimersByTimeAsync(3_000);
    await absent.call("session/list", {});
    await vi.advanceTimersByTimeAsync(4_000);
    expect(handler.connections).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(handler.connections).toBe(0);
    const deaf = new RawClient(handler.fetch);
    await deaf.initialize();
    await deaf.stream(); // its body is never read
    for (let index = 0; index < 10; index += 1) await deaf.call("session/list", {});
    await vi.advanceTimersByTimeAsync(19_000);
    expect(handler.connections).toBe(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(handler.connections).toBe(0);
  });

  it("keeps a quiet stream alive with comments", async () => {
    fakeTimers();
    const handler = serve(echoAgent(), { limits: { keepAliveMs: 5_000 } });
    const client = new RawClient(handler.fetch);
    await client.initialize();
    const stream = await client.stream();
    const reading = stream.next();
    await vi.advanceTimersByTimeAsync(16_000);
    expect(stream.comments).toEqual(["keep-alive", "keep-alive", "keep-alive"]);
    await client.call("session/list", {});
    await reading;
  });

  it("responds 504 when the agent does not respond to initialize, and 502 when the agent ends", async () => {
    const closed = new Promise<void>(() => {});
    const silent = serve(
      { connect: () => ({ closed, close: async () => {} }) },
      { limits: { initializeTimeoutMs: 10 } },
    );
    expect((await new RawClient(silent.fetch).initialize()).status).toBe(504);
    expect(silent.connections).toBe(0);
    const dying = serve({
      connect: (transport) => {
        queueMicrotask(() => void transport.close());
        return { closed, close: async () => {} };
      },
    });
    expect((await new RawClient(dying.fetch).initialize()).status).toBe(502);
    expect(dying.connections).toBe(0);
  });
});
