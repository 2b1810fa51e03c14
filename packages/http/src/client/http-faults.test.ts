import { connectAgent } from "@acp-kit/client";
import { deferred } from "@acp-kit/jsonrpc/internal";
import fc from "fast-check";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { cutAfter, inProcessFetch } from "../../test/in-process-fetch.js";
import { type AcpHandler, createAcpHandler } from "../server/acp-handler.js";
import { eventOf } from "../wire/sse-writer.js";
import { fetchAgent } from "./http-agent.js";

const url = "http://localhost/acp";
const handlers: AcpHandler[] = [];
afterEach(async () => {
  await Promise.all(handlers.splice(0).map((handler) => handler.close()));
});

/** An agent that sends many updates and counts its turns. */
function countingAgent(updates: number) {
  const prompts: string[] = [];
  const handler = createAcpHandler(
    echoAgent({
      history: Array.from({ length: updates }, (_, index) => `${index}`),
      prompt: async (turn) => {
        prompts.push(turn.text);
        for (let index = 0; index < updates; index += 1) await turn.message(`${turn.text} ${index};`);
      },
    }),
  );
  handlers.push(handler);
  return { handler, prompts };
}

async function text(turn: AsyncIterable<unknown>): Promise<string> {
  let all = "";
  for await (const update of turn) all += (update as { content?: { text?: string } }).content?.text ?? "";
  return all;
}

const whole = (prompt: string, updates: number) =>
  Array.from({ length: updates }, (_, index) => `${prompt} ${index};`).join("");

/** A response whose body breaks when the returned function is called. */
function breakable(response: Response): [Response, cut: () => void] {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let cut = (): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      cut = () => {
        controller.error(new TypeError("terminated"));
        void reader.cancel();
      };
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) controller.enqueue(value);
    },
  });
  return [new Response(body, response), cut];
}
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** Stops the clock for the rest of the test. The returned function lets `ms` milliseconds pass. */
function stopClock(): (ms: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => vi.advanceTimersByTimeAsync(ms);
}

describe("a network that breaks", () => {
  it("remote.nothing-lost: no message is lost or repeated when streams are cut at any byte and any POST is lost or repeated", async () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 12 });
    const posts = fc.array(fc.constantFrom("ok", "lost before", "lost after", "twice", "late"), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cuts, posts, async (cutsAt, fates) => {
        const { handler, prompts } = countingAgent(20);
        const left = [...cutsAt];
        const plan = [...fates];
        const isPost = (request: Request) => request.method === "POST" && request.headers.has("acp-connection-id");
        const fate = new WeakMap<Request, string>();
        const fetch = inProcessFetch(
          async (request) => {
            if (fate.get(request) !== "twice") return handler.fetch(request);
            const copy = request.clone();
            await (await handler.fetch(copy)).text();
            return handler.fetch(request);
          },
          {
            request: async (request) => {
              if (!isPost(request)) return;
              const next = plan.shift() ?? "ok";
              fate.set(request, next);
              if (next === "lost before") throw new TypeError("fetch failed");
              if (next === "late") for (let turns = 0; turns < 5; turns += 1) await nextTick();
            },
            response: (response, request) => {
              if (fate.get(request) === "lost after") throw new TypeError("fetch failed");
              const bytes = request.method === "GET" && response.status === 200 ? left.shift() : undefined;
              return bytes === undefined ? undefined : cutAfter(response, bytes);
            },
          },
        );
        const agent = await connectAgent(fetchAgent(url, { fetch, limits: { maxReconnectDelayMs: 1 } }));
        const session = await agent.loadSession({ sessionId: "old", cwd: "/" });
        const turns = ["a", "b", "c"].map((prompt) => text(session.prompt(prompt)));
        expect(await Promise.all(turns)).toEqual(["a", "b", "c"].map((prompt) => whole(prompt, 20)));
        expect(prompts).toEqual(["a", "b", "c"]);
        await agent.close();
        await handler.close();
      }),
      { numRuns: 40, timeout: 3_000 },
    );
  });

  it("remote.nothing-lost: a session can be closed while its stream is opened again", async () => {
    const { handler } = countingAgent(1);
    let closed = deferred();
    let cut = (): void => {};
    const isSession = ({ method, headers }: Request) => method === "GET" && headers.has("acp-session-id");
    const fetch = inProcessFetch(handler.fetch, {
      request: (request) => (isSession(request) && request.headers.has("last-event-id") ? closed.promise : undefined),
      response: (response, request) => {
        if (!isSession(request) || request.headers.has("last-event-id")) return undefined;
        const [body, cutBody] = breakable(response);
        cut = cutBody;
        return body;
      },
    });
    await using agent = await connectAgent(fetchAgent(url, { fetch, limits: { maxReconnectDelayMs: 1 } }));
    for (const prompts of [0, 1]) {
      closed = deferred();
      const session = await agent.newSession({ cwd: "/" });
      if (prompts > 0) await text(session.prompt("a"));
      cut();
      const closing = session.close();
      for await (const _ of agent.listSessions()); // the agent responds in order
      closed.resolve();
      await closing;
    }
  });

  it("remote.post-order: the client sends one POST at a time, in the order of the calls", async () => {
    const { handler, prompts } = countingAgent(1);
    let count = 0;
    let open = 0;
    let most = 0;
    const fetch = inProcessFetch(handler.fetch, {
      request: async (request) => {
        if (request.method !== "POST") return;
        count += 1;
        open += 1;
        most = Math.max(most, open);
        for (let turns = 20 - count; turns > 0; turns -= 1) await nextTick(); // later ones are faster
      },
      response: (_, request) => {
        if (request.method === "POST") open -= 1;
        return undefined;
      },
    });
    await using agent = await connectAgent(fetchAgent(url, { fetch }), { concurrentPrompts: "queue" });
    const sessions = await Promise.all(Array.from({ length: 3 }, () => agent.newSession({ cwd: "/" })));
    await Promise.all(sessions.map((session, index) => text(session.prompt(`${index}`))));
    expect(prompts).toEqual(["0", "1", "2"]);
    expect(most).toBe(1);
  });

  it.each([
    ["a server of this package", (handler: AcpHandler) => handler.fetch],
    ["a server that responds to session/load in the connection stream", plain],
  ])("remote.replay-order: from %s, waits for a replay that is slower than its response (RT-15)", async (_, of) => {
    const pass = stopClock();
    const { handler } = countingAgent(5);
    const fetch = inProcessFetch(of(handler), {
      response: (response, request) =>
        request.headers.has("acp-session-id") && request.method === "GET" ? lagging(response) : undefined,
    });
    await using agent = await connectAgent(fetchAgent(url, { fetch }));
    const events: string[] = [];
    const last = deferred();
    const onUpdate = (): void => {
      if (events.push("update") === 5) last.resolve();
    };
    const loading = agent.loadSession({ sessionId: "old", cwd: "/" }, { onUpdate }).then(() => events.push("loaded"));
    await last.promise;
    await pass(1_000);
    await loading;
    expect(events).toEqual([..."12345"].map(() => "update").concat("loaded"));
  });

  it("remote.replay-order: waits for the replay of a resumed session, too, if the server responds in the connection stream (RT-15)", async () => {
    const pass = stopClock();
    const streams = { ofConnection: new TransformStream<Uint8Array>(), ofSession: new TransformStream<Uint8Array>() };
    const send = (stream: TransformStream<Uint8Array>, message: object): void => {
      const writer = stream.writable.getWriter();
      void writer.write(new TextEncoder().encode(eventOf(JSON.stringify({ jsonrpc: "2.0", ...message }))));
      writer.releaseLock();
    };
    const fetch = inProcessFetch(async (request) => {
      if (request.method === "GET") {
        const { readable } = request.headers.has("acp-session-id") ? streams.ofSession : streams.ofConnection;
        return new Response(readable, { headers: { "content-type": "text/event-stream" } });
      }
      if (request.method !== "POST") return new Response(null, { status: 202 });
      const { id, method } = (await request.json()) as { readonly id: number; readonly method: string };
      if (method === "initialize") {
        const body = { jsonrpc: "2.0", id, result: { protocolVersion: 2 } };
        return Response.json(body, { headers: { "acp-connection-id": "c" } });
      }
      send(streams.ofConnection, { id, result: {} });
      for (let turns = 0; turns < 5; turns += 1) await nextTick();
      send(streams.ofSession, { method: "session/update", params: { sessionId: "old" } });
      return new Response(null, { status: 202 });
    });
    const transport = await fetchAgent(url, { fetch }).open();
    const received: unknown[] = [];
    const replayed = deferred();
    const resumed = deferred();
    transport.start({
      message: (value) => {
        const { id, method } = value as { readonly id?: number; readonly method?: string };
        received.push(method ?? id);
        if (method !== undefined) replayed.resolve();
        if (id === 1) resumed.resolve();
        if (id !== 0) return;
        const params = { sessionId: "old", cwd: "/", replayFrom: { type: "start" } };
        transport.send({ jsonrpc: "2.0", id: 1, method: "session/resume", params });
      },
      malformed: () => {},
      ended: () => {},
      failed: resumed.reject,
    });
    transport.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 2 } });
    await replayed.promise;
    await pass(1_000);
    await resumed.promise;
    expect(received).toEqual([0, "session/update", 1]);
    await transport.close();
  });

  it("remote.connection-gone: the client ends the connection when any stream reports that the server no longer knows it", async () => {
    const prompted = deferred();
    const first = createAcpHandler(
      echoAgent({
        prompt: () => {
          prompted.resolve();
          return new Promise<void>(() => {});
        },
      }),
    );
    const second = createAcpHandler(echoAgent());
    handlers.push(first, second);
    let current = first;
    const cuts: (() => void)[] = [];
    const fetch = inProcessFetch((request) => current.fetch(request), {
      request: (request) => {
        const isOfConnection = request.method === "GET" && !request.headers.has("acp-session-id");
        // The client is still opening that stream again
        if (isOfConnection && current === second) throw new TypeError("fetch failed");
      },
      response: (response, request) => {
        if (request.method !== "GET" || response.body === null) return undefined;
        const { readable, cut } = cuttable(response.body);
        cuts.push(cut);
        return new Response(readable, response);
      },
    });
    await using agent = await connectAgent(fetchAgent(url, { fetch, limits: { maxReconnectDelayMs: 1 } }));
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("a").result;
    turn.catch(() => {});
    await prompted.promise;
    current = second;
    for (const cut of cuts) cut();
    await expect(turn).rejects.toMatchObject({
      name: "ConnectionError",
      cause: { code: "connection_lost", status: 404 },
    });
  });

  it("remote.nothing-lost: repeats a POST that a proxy refused because it could not reach the server, or that did not arrive in time", async () => {
    const { handler, prompts } = countingAgent(3);
    const refusals = [502, 503, 504, 522, 408];
    const fetch = inProcessFetch(async (request) => {
      const isPrompt = request.method === "POST" && request.headers.has("acp-session-id");
      const status = isPrompt ? refusals.shift() : undefined;
      return status === undefined ? handler.fetch(request) : new Response("<html>Bad gateway</html>", { status });
    });
    await using agent = await connectAgent(fetchAgent(url, { fetch, limits: { maxReconnectDelayMs: 1 } }));
    const session = await agent.newSession({ cwd: "/" });
    expect(await text(session.prompt("a"))).toBe(whole("a", 3));
    expect([prompts, refusals]).toEqual([["a"], []]);
  });

  it("remote.post-order: later POSTs are handled after a proxy has refused a POST for good", async () => {
    const { handler, prompts } = countingAgent(3);
    let isTooLarge = true;
    const fetch = inProcessFetch(async (request) => {
      if (request.method === "POST" && request.headers.has("acp-session-id") && isTooLarge) {
        isTooLarge = false;
        return new Response("<html>Request Entity Too Large</html>", { status: 413 });
      }
      return handler.fetch(request);
    });
    await using agent = await connectAgent(fetchAgent(url, { fetch }));
    const session = await agent.newSession({ cwd: "/" });
    await expect(session.prompt("a").result).rejects.toMatchObject({ data: { status: 413 } });
    expect(await text(session.prompt("b"))).toBe(whole("b", 3));
    expect(prompts).toEqual(["b"]);
  });

  it("remote.post-order: later POSTs are handled after the server has refused a request above maxOpenRequests", async () => {
    const started = deferred();
    const handler = createAcpHandler(
      echoAgent({
        prompt: ({ signal }) =>
          new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => resolve());
            started.resolve();
          }),
      }),
      { limits: { maxOpenRequests: 1 } },
    );
    handlers.push(handler);
    await using agent = await connectAgent(fetchAgent(url, { fetch: inProcessFetch(handler.fetch) }));
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("a");
    await started.promise;
    await expect(agent.newSession({ cwd: "/" })).rejects.toMatchObject({ data: { status: 429 } });
    await session.cancel();
    expect(await turn.result).toMatchObject({ stopReason: "cancelled" });
  });

  it("rejects the requests of a session whose stream broke, if the server can't continue streams", async () => {
    const { handler } = countingAgent(100);
    let cuts = 1;
    const fetch = inProcessFetch(plain(handler), {
      response: (response, request) => {
        if (request.method !== "GET" || !request.headers.has("acp-session-id") || cuts === 0) return undefined;
        cuts -= 1;
        return cutAfter(response, 500);
      },
    });
    await using agent = await connectAgent(fetchAgent(url, { fetch }));
    const session = await agent.newSession({ cwd: "/" });
    await expect(session.prompt("a").result).rejects.toMatchObject({ code: -32603 });
    expect(await text(session.prompt("b"))).toContain("b 99;");
  });
});

/**
 * The `fetch` of a server that does only what the specification requires: it knows no keys of POSTs, and its events
 * have no ids.
 */
function plain(handler: AcpHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    for (const name of ["idempotency-key", "prefer"]) request.headers.delete(name);
    const { body, status, headers } = await handler.fetch(request);
    if (!headers.get("content-type")?.startsWith("text/event-stream")) return new Response(body, { status, headers });
    const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        transform: (text, controller) => controller.enqueue(text.replace(/^id: .*\n/gm, "")),
      }),
    );
    return new Response(events?.pipeThrough(new TextEncoderStream()), { status, headers });
  };
}

/** A body that breaks when `cut` is called. */
function cuttable(body: ReadableStream<Uint8Array>): { readonly readable: ReadableStream<Uint8Array>; cut(): void } {
  let breaks: TransformStreamDefaultController<Uint8Array> | undefined;
  const passage = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      breaks = controller;
    },
  });
  return { readable: body.pipeThrough(passage), cut: () => breaks?.error(new TypeError("terminated")) };
}

/** A body whose chunks arrive some turns of the event loop later. */
function lagging(response: Response): Response {
  const lag = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      for (let turns = 0; turns < 5; turns += 1) await nextTick();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(lag), response);
}
