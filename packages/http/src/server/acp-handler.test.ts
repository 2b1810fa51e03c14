import type { Transport } from "@acp-kit/jsonrpc";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { initializeRequest, RawClient } from "../../test/raw-client.js";
import { scriptedAgent } from "../../test/scripted-agent.js";
import { type AcpHandler, acpHandlerWith, createAcpHandler } from "./acp-handler.js";
import type { ServedAgent } from "./served-agent.js";

let handler: AcpHandler;
let client: RawClient;

beforeEach(() => {
  handler = createAcpHandler(echoAgent());
  client = new RawClient(handler.fetch);
});
afterEach(() => handler.close());

/** The status, the error code and the message of a refusal. */
async function refusal(response: Promise<Response>): Promise<[number, number, string]> {
  const { status, ...rest } = await response.then(async (r) => ({
    status: r.status,
    ...((await r.json()) as { error: { code: number; message: string } }),
  }));
  return [status, rest.error.code, rest.error.message];
}

describe("POST (table A3)", () => {
  it("refuses another content type with 415", async () => {
    const [status, , message] = await refusal(client.post("{}", { "content-type": "text/plain" }));
    expect([status, message]).toEqual([415, "The body must have the content type application/json."]);
    expect((await client.post("{}", { "content-encoding": "gzip" })).status).toBe(415);
  });

  it("creates a connection for initialize: 200, a JSON body, and the id in the header (RT-05)", async () => {
    const response = await client.initialize();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(client.connectionId).toMatch(/^[\w-]{24}$/);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } });
    expect(handler.connections).toBe(1);
  });

  it("refuses any other message without a connection with 400", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "session/new", params: {} };
    const [status, , message] = await refusal(client.post(body));
    expect(status).toBe(400);
    expect(message).toContain("Acp-Connection-Id");
    expect((await client.post({ jsonrpc: "2.0", method: "initialize" })).status).toBe(400);
  });

  it("responds 404 for an unknown connection id", async () => {
    client.connectionId = "another";
    expect((await client.call("session/new", {})).status).toBe(404);
    expect((await client.request("GET", { accept: "text/event-stream" })).status).toBe(404);
    expect((await client.delete()).status).toBe(404);
  });

  it("refuses a message of a session without its header with 400", async () => {
    await client.initialize();
    const message = { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } };
    expect(await refusal(client.post(message))).toEqual([400, -32600, expect.stringContaining("Acp-Session-Id")]);
  });

  it("refuses a header that differs from the body with 400 (A10-9)", async () => {
    await client.initialize();
    const { status } = await client.call("session/prompt", { sessionId: "s", prompt: [] }, { "acp-session-id": "t" });
    expect(status).toBe(400);
  });

  it("refuses a batch with 501 and executes none of it (A10-6)", async () => {
    await client.initialize();
    const request = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } };
    expect(await refusal(client.post([request]))).toEqual([501, -32600, expect.stringContaining("Batches")]);
    expect((await new RawClient(handler.fetch).post([initializeRequest])).status).toBe(501);
    expect(handler.connections).toBe(1);
  });

  it.each([
    ["text that is not JSON", "{", 400, -32700],
    ["an empty body", "", 400, -32700],
    ["a value that is not an object", "7", 400, -32600],
    ["an object that is not a JSON-RPC message", '{"jsonrpc":"2.0"}', 400, -32600],
    ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"x"}', 400, -32600],
    ["an object as an id", '{"jsonrpc":"2.0","id":{},"method":"x"}', 400, -32600],
    ["JSON that is nested too deep", `${"[".repeat(600)}${"]".repeat(600)}`, 413, -32600],
  ])("refuses %s", async (_, body, status, code) => {
    await client.initialize();
    expect(await refusal(client.post(body))).toEqual([status, code, expect.any(String)]);
    // The connection still works
    expect((await client.call("session/new", { cwd: "/", mcpServers: [] })).status).toBe(202);
  });

  it("refuses a body above the limit with 413, with or without a content-length", async () => {
    const small = createAcpHandler(echoAgent(), { limits: { maxMessageBytes: 1_000 } });
    const raw = new RawClient(small.fetch);
    const [status, , message] = await refusal(raw.post({ text: "x".repeat(1_000) }));
    expect([status, message]).toEqual([413, "The body is longer than 1000 bytes."]);
    expect((await raw.post("{}", { "content-length": "1001" })).status).toBe(413);
    await small.close();
  });

  it("responds 408 to a body that does not arrive", async () => {
    const slow = acpHandlerWith(echoAgent(), {}, { bodyTimeoutMs: 20 });
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
    const headers = { "content-type": "application/json" };
    const request = new Request("http://localhost/acp", {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit);
    expect((await slow.fetch(request)).status).toBe(408);
    await slow.close();
  });

  it("accepts any other message with 202 and no body, and responds in a stream (RT-12)", async () => {
    await client.initialize();
    const response = await client.post({
      jsonrpc: "2.0",
      id: "x",
      method: "session/new",
      params: { cwd: "/", mcpServers: [] },
    });
    expect(response.status).toBe(202);
    expect(await response.text()).toBe("");
    const stream = await client.stream();
    expect(await stream.next()).toEqual({ jsonrpc: "2.0", id: "x", result: { sessionId: "s1" } });
  });

  it("accepts notifications, and responses to unknown requests (RT-13)", async () => {
    await client.initialize();
    expect((await client.post({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 9 } })).status).toBe(
      202,
    );
    expect((await client.post({ jsonrpc: "2.0", id: 99, result: {} })).status).toBe(202);
  });

  it("refuses a second initialize of a connection with 400", async () => {
    await client.initialize();
    expect((await client.post(initializeRequest)).status).toBe(400);
  });

  it("refuses ids above 1024 characters with 400", async () => {
    client.connectionId = "x".repeat(1_025);
    expect((await client.delete()).status).toBe(400);
  });

  it("ends the connection when the agent rejects initialize", async () => {
    const response = await client.post({ ...initializeRequest, params: { protocolVersion: "one" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 0, error: { code: -32602 } });
    expect(response.headers.get("acp-connection-id")).toBeNull();
    expect(handler.connections).toBe(0);
  });
});

describe("GET (table A3)", () => {
  it("gets 406 if the client does not accept event streams", async () => {
    await client.initialize();
    expect((await client.request("GET", { accept: "application/json" })).status).toBe(406);
  });

  it("gets 400 without a connection", async () => {
    expect((await client.request("GET", { accept: "text/event-stream" })).status).toBe(400);
  });

  it("opens a stream of events", async () => {
    await client.initialize();
    const { response } = await client.stream();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toContain("no-cache");
  });

  it("starts with an empty line, because some platforms send the headers of a response only with the first bytes of the body", async () => {
    await client.initialize();
    const { body } = await client.request("GET", { accept: "text/event-stream" });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe("\n");
    await reader.cancel();
  });

  it("opens the stream of a session that is not loaded yet (A10-1)", async () => {
    await client.initialize();
    expect((await client.stream("later")).status).toBe(200);
  });

  it("refuses a second reader of a stream with 409, and allows one after the first has gone (RT-16)", async () => {
    await client.initialize();
    const first = await client.stream();
    expect((await client.stream()).status).toBe(409);
    await first.cancel();
    expect((await client.stream()).status).toBe(200);
  });

  it("gets 426 for an upgrade", async () => {
    await client.initialize();
    expect((await client.request("GET", { accept: "text/event-stream", upgrade: "websocket" })).status).toBe(426);
  });
});

describe("DELETE and other methods", () => {
  it("ends the connection and its streams with 202", async () => {
    await client.initialize();
    const stream = await client.stream();
    expect((await client.delete()).status).toBe(202);
    await stream.ended();
    expect((await client.delete()).status).toBe(404);
    expect(handler.connections).toBe(0);
  });

  it("gets 400 without a connection", async () => {
    expect((await client.delete()).status).toBe(400);
  });

  it("refuses other methods with 405 and names the supported ones", async () => {
    const response = await client.request("PUT");
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, GET, DELETE, OPTIONS");
  });
});

describe("streams (table A4)", () => {
  it("sends each message in one stream: messages of a session in the session's stream, others in the connection stream (RT-11)", async () => {
    await client.initialize();
    const main = await client.stream();
    const sessionId = await client.newSession(main);
    const session = await client.stream(sessionId);
    const { id } = await client.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
    expect(await session.next()).toMatchObject({ method: "session/update", params: { sessionId } });
    expect(await session.next()).toMatchObject({ id, result: { stopReason: "end_turn" } });
    const list = await client.call("session/list", {});
    expect(await main.next()).toMatchObject({ id: list.id, result: { sessions: [] } });
    expect([...main.rest, ...session.rest]).toEqual([]);
  });

  it("queues messages until their stream is opened (RT-14)", async () => {
    await client.initialize();
    const main = await client.stream();
    const sessionId = await client.newSession(main);
    await client.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
    const session = await client.stream(sessionId);
    expect((await session.next()).method).toBe("session/update");
  });

  it("sends the agent's requests in their session's stream, and accepts the responses by POST (RT-13)", async () => {
    await client.initialize();
    const main = await client.stream();
    const sessionId = await client.newSession(main);
    const session = await client.stream(sessionId);
    await client.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "permit" }] });
    const request = await session.next((message) => message.method === "session/request_permission");
    const { optionId } = request.params.options.find(({ kind }: { kind: string }) => kind === "allow_once");
    const answer = { jsonrpc: "2.0", id: request.id, result: { outcome: { outcome: "selected", optionId } } };
    expect((await client.post(answer)).status).toBe(400); // both headers are needed
    expect((await client.post(answer, { "acp-session-id": "other" })).status).toBe(400);
    expect((await client.post(answer, { "acp-session-id": sessionId })).status).toBe(202);
    const update = await session.next((message) => message.params?.update.sessionUpdate === "agent_message_chunk");
    expect(update.params.update.content.text).toBe("allowed: true");
  });

  it("responds to session/load in the connection stream, after the replay in the session's stream (RT-15, A10-2)", async () => {
    await client.initialize();
    const main = await client.stream();
    const session = await client.stream("old");
    const { id } = await client.call("session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
    const texts = [await session.next(), await session.next()].map(({ params }) => params.update.content.text);
    expect(texts).toEqual(["one", "two"]);
    expect(await main.next()).toMatchObject({ id, result: {} });
  });

  it("responds to session/load after stallTimeoutMs to a client that reads the replay only after the response", async () => {
    const impatient = createAcpHandler(echoAgent(), { limits: { stallTimeoutMs: 50 } });
    const raw = new RawClient(impatient.fetch);
    await raw.initialize();
    const main = await raw.stream();
    const session = await raw.stream("old");
    const { id } = await raw.call("session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
    expect(await main.next()).toMatchObject({ id, result: {} });
    expect((await session.next()).params.update.content.text).toBe("one");
    await impatient.close();
  });

  it("responds to session/load after the replay in the same stream if `loadResponseStream` is `session` (RT-15)", async () => {
    const inSession = createAcpHandler(echoAgent(), { loadResponseStream: "session" });
    const raw = new RawClient(inSession.fetch);
    await raw.initialize();
    const main = await raw.stream();
    const session = await raw.stream("old");
    const { id } = await raw.call("session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
    const messages = [await session.next(), await session.next(), await session.next()];
    expect(messages.map(({ params }) => params?.update.content.text)).toEqual(["one", "two", undefined]);
    expect(messages[2]).toMatchObject({ id, result: {} });
    await raw.call("session/list", {});
    expect(await main.next()).toMatchObject({ id: expect.not.toSatisfy((other) => other === id) });
    const unopened = await raw.call("session/load", { sessionId: "other", cwd: "/", mcpServers: [] });
    expect(await main.next()).toMatchObject({ id: unopened.id }); // a client may open the stream after the response
    await inSession.close();
  });

  it("responds in the session's stream, also to session/load, if the client prefers that in `initialize` (RT-15)", async () => {
    await client.initialize({ prefer: "wait=5, acp-responses=session-stream" });
    const main = await client.stream();
    const session = await client.stream("old");
    await session.cancel(); // the client opens the stream again
    const { id } = await client.call("session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
    const list = await client.call("session/list", {});
    expect(await main.next()).toMatchObject({ id: list.id });
    const again = await client.stream("old", { "last-event-id": "0" });
    const messages = [await again.next(), await again.next(), await again.next()];
    expect(messages.map(({ params }) => params?.update.content.text)).toEqual(["one", "two", undefined]);
    expect(messages[2]).toMatchObject({ id, result: {} });
  });

  it.each([
    ["with the stream of the session open", undefined, "session"],
    ["if the client prefers responses in that stream", "acp-responses=session-stream", "session"],
    ["in the connection stream, if the client opens the stream of the session later", undefined, "connection"],
  ] as const)(
    "responds to a session/resume that replays, as in version 2, after the replay: %s (RT-15)",
    async (_, prefer, where) => {
      const resumes = createAcpHandler(
        scriptedAgent(({ id = 0, method }, peer) => {
          if (method === "initialize") peer.respond(id, { protocolVersion: 2 });
          if (method !== "session/resume") return;
          for (const text of ["one", "two"]) {
            const update = { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } };
            peer.notify("session/update", { sessionId: "old", update });
          }
          peer.respond(id, {});
        }),
      );
      const raw = new RawClient(resumes.fetch);
      await raw.initialize(prefer === undefined ? {} : { prefer });
      const main = await raw.stream();
      const opened = where === "session" ? await raw.stream("old") : undefined;
      const params = { sessionId: "old", cwd: "/", mcpServers: [], replayFrom: { type: "start" } };
      const { id } = await raw.call("session/resume", params);
      if (opened === undefined) expect(await main.next()).toMatchObject({ id, result: {} });
      const session = opened ?? (await raw.stream("old"));
      const texts = [await session.next(), await session.next()].map(({ params }) => params.update.content.text);
      expect(texts).toEqual(["one", "two"]);
      if (opened !== undefined) expect(await session.next()).toMatchObject({ id, result: {} });
      expect(main.rest).toEqual([]);
      await resumes.close();
    },
  );

  it("responds to resume and delete in the connection stream if the session is not open (A10-3)", async () => {
    await client.initialize();
    const main = await client.stream();
    for (const method of ["session/resume", "session/delete"]) {
      const { id, status } = await client.call(method, { sessionId: `of ${method}`, cwd: "/", mcpServers: [] });
      expect([method, status]).toEqual([method, 202]);
      expect(await main.next()).toMatchObject({ id, result: {} });
    }
  });

  it("responds 404 for a session that this connection has not opened", async () => {
    await client.initialize();
    const other = new RawClient(handler.fetch);
    await other.initialize();
    const sessionId = await other.newSession(await other.stream());
    expect((await client.call("session/prompt", { sessionId, prompt: [] })).status).toBe(404);
  });

  it("sends the second response to one request after the first response, in the same stream", async () => {
    const results: Record<string, object[]> = {
      initialize: [{ protocolVersion: 1 }],
      "session/new": [{ sessionId: "s" }],
      "session/prompt": [{ stopReason: "end_turn" }, { stopReason: "max_tokens" }],
    };
    const twice = createAcpHandler(
      scriptedAgent(({ id, method = "" }, peer) => {
        for (const result of results[method] ?? []) peer.send({ id, result });
      }),
    );
    const raw = new RawClient(twice.fetch);
    await raw.initialize();
    const main = await raw.stream();
    const session = await raw.stream(await raw.newSession(main));
    const { id } = await raw.call("session/prompt", { sessionId: "s", prompt: [] });
    expect(await session.next()).toMatchObject({ id, result: { stopReason: "end_turn" } });
    expect(await session.next()).toMatchObject({ id, result: { stopReason: "max_tokens" } });
    await twice.close();
  });

  it("ends the stream of a closed session after the response", async () => {
    await client.initialize();
    const main = await client.stream();
    const sessionId = await client.newSession(main);
    const session = await client.stream(sessionId);
    const { id } = await client.call("session/close", { sessionId });
    expect(await session.next()).toMatchObject({ id, result: {} });
    await session.ended();
  });
});

describe("a POST that is sent again (RT-35)", () => {
  it("is recognised by its id and its text, acknowledged and not executed again", async () => {
    await client.initialize();
    const main = await client.stream();
    const request = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } };
    expect((await client.post(request)).status).toBe(202);
    await main.next();
    expect((await client.post(request)).status).toBe(202);
    const { id } = await client.call("session/list", {}, {});
    expect(id).toBe(1); // the raw client chooses its own ids; another text makes another request
    expect(await main.next()).toMatchObject({ result: { sessions: [] } });
    expect(main.rest).toEqual([]);
  });

  it("is refused when its id belongs to another request without a response", async () => {
    const waits = createAcpHandler(
      echoAgent({ prompt: (turn) => new Promise((_, reject) => turn.signal.addEventListener("abort", reject)) }),
    );
    const raw = new RawClient(waits.fetch);
    await raw.initialize();
    const sessionId = await raw.newSession(await raw.stream());
    const prompt = (text: string) =>
      raw.post(
        { jsonrpc: "2.0", id: "p", method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } },
        { "acp-session-id": sessionId },
      );
    expect((await prompt("a")).status).toBe(202);
    expect((await prompt("a")).status).toBe(202);
    expect((await prompt("b")).status).toBe(400);
    await waits.close();
  });

  it("is recognised by its Idempotency-Key, acknowledged and not executed again, whatever its kind and however many follow", async () => {
    const received: string[] = [];
    const noting = createAcpHandler(
      scriptedAgent(({ id, method = "" }, peer) => {
        received.push(method);
        if (id !== undefined) peer.respond(id, { protocolVersion: 1 });
      }),
    );
    const raw = new RawClient(noting.fetch);
    const initialized = await raw.initialize({ "idempotency-key": '"0"' });
    expect(initialized.headers.get("idempotency-key")).toBe('"0"');
    const note = (method: string, key: string) =>
      raw.post({ jsonrpc: "2.0", method, params: {} }, { "idempotency-key": key });
    const statuses = [await note("_a", '"1"'), await note("_a", '"1"'), await note("_a", '"2"')];
    for (let n = 3; n < 60; n += 1) await note("_b", `"${n}"`);
    statuses.push(await note("_a", '"1"'));
    expect(statuses.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(received.filter((method) => method === "_a")).toEqual(["_a", "_a"]);
    await noting.close();
  });

  it("waits for the outcome of the first POST with its key, which waits until the agent reads", async () => {
    let transport: Transport | undefined;
    const received: unknown[] = [];
    const scripted = scriptedAgent((message, peer) => {
      received.push(message);
      if (received.length === 1) peer.respond(0, { protocolVersion: 1 });
    });
    const agent: ServedAgent = {
      connect(its) {
        transport = its;
        return scripted.connect(its);
      },
    };
    const pausing = createAcpHandler(agent);
    const raw = new RawClient(pausing.fetch);
    await raw.initialize();
    transport?.pause();
    const post = () => raw.post({ jsonrpc: "2.0", method: "_n", params: {} }, { "idempotency-key": "n" });
    const both = [post(), post()];
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toHaveLength(1); // `initialize`
    transport?.resume();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([202, 202]);
    expect(received).toHaveLength(2);
    await pausing.close();
  });

  it("gets the same refusal again if it was refused for good", async () => {
    await client.initialize();
    const post = async (body: unknown) => {
      const response = await client.post(body, { "idempotency-key": "1" });
      return [response.status, await response.text()];
    };
    const refusal = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    expect(refusal).toEqual([400, expect.stringContaining("initialized already")]);
    expect(await post({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })).toEqual(refusal);
  });

  it("is executed if it was refused for a moment, with 429", async () => {
    const waits = createAcpHandler(
      echoAgent({
        prompt: (turn) => new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve(undefined))),
      }),
      { limits: { maxOpenRequests: 1 } },
    );
    const raw = new RawClient(waits.fetch);
    await raw.initialize();
    const sessionId = await raw.newSession(await raw.stream());
    const { id } = await raw.call("session/prompt", { sessionId, prompt: [] });
    const again = () => raw.call("session/list", {}, { "idempotency-key": "list" });
    expect((await again()).status).toBe(429);
    const session = await raw.stream(sessionId);
    await raw.post(
      { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } },
      { "acp-session-id": sessionId },
    );
    await session.next((message) => message.id === id);
    expect((await again()).status).toBe(202);
    await waits.close();
  });
});
