import { deferred } from "@acp-kit/jsonrpc/internal";
import { afterEach, describe, expect, it, vi } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { RawStream } from "../../test/raw-client.js";
import { scriptedAgent } from "../../test/scripted-agent.js";
import { createDirectHandler, type DirectHandler, type DirectHandlerOptions } from "./direct-server.js";
import { tokenAuthentication } from "./principal.js";
import type { AgentChoice, ServedAgent, ServedAgentConnection } from "./served-agent.js";

const handlers: DirectHandler[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(handlers.splice(0).map((handler) => handler.close()));
});

function serve(options: DirectHandlerOptions = {}, agent: AgentChoice = echoAgent()) {
  const handler = createDirectHandler(agent, options);
  handlers.push(handler);
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    handler.fetch(
      new Request("http://localhost/rpc", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  const call = async (method: string, params: object, headers = {}): Promise<any> =>
    (await post({ jsonrpc: "2.0", id: 1, method, params }, headers)).json();
  return { post, call };
}

const newSession = { cwd: "/", mcpServers: [] };
const prompt = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: "text", text }] });

describe("the request/response profile", () => {
  it("responds in the body, and keeps sessions for later requests", async () => {
    const { call } = serve();
    expect(await call("initialize", { protocolVersion: 1 })).toMatchObject({
      id: 1,
      result: { agentInfo: { name: "echo" } },
    });
    const { result } = await call("session/new", newSession);
    expect(await call("session/prompt", prompt(result.sessionId, "hi"))).toMatchObject({
      result: { stopReason: "end_turn" },
    });
    expect(await call("session/close", { sessionId: result.sessionId })).toMatchObject({ result: {} });
  });

  it("responds to an array with an array, to notifications with 202, and to errors with JSON-RPC errors", async () => {
    const { post, call } = serve();
    const request = (id: number, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });
    const response = await post([
      request(1, "session/new", newSession),
      { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "x" } },
      request(2, "session/list", {}),
      { jsonrpc: "2.0", id: 3 },
    ]);
    expect(await response.json()).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
      { id: null, error: { code: -32600 } },
    ]);
    expect((await post({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "x" } })).status).toBe(202);
    expect(await call("no/method", {})).toMatchObject({ error: { code: -32601 } });
    expect(await (await post("{")).json()).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await post([])).status).toBe(400);
    expect((await post(Array.from({ length: 101 }, () => request(1, "x", {})))).status).toBe(413);
  });

  it("streams updates and the agent's requests before the response, if the caller accepts events", async () => {
    const { post, call } = serve();
    const { result } = await call("session/new", newSession);
    const body = { jsonrpc: "2.0", id: "p", method: "session/prompt", params: prompt(result.sessionId, "permit") };
    const stream = new RawStream(await post(body, { accept: "text/event-stream" }));
    const request = await stream.next(({ method }) => method === "session/request_permission");
    const { optionId } = request.params.options.find(({ kind }: { kind: string }) => kind === "allow_once");
    const outcome = { outcome: "selected", optionId };
    expect((await post({ jsonrpc: "2.0", id: request.id, result: { outcome } })).status).toBe(202);
    const update = await stream.next(({ params }) => params?.update?.sessionUpdate === "agent_message_chunk");
    expect(update.params.update.content.text).toBe("allowed: true");
    expect(await stream.next(({ id }) => id === "p")).toMatchObject({ result: { stopReason: "end_turn" } });
    await stream.ended();
  });

  it("cancels permission requests if the caller can't receive them", async () => {
    const { call } = serve();
    const { result } = await call("session/new", newSession);
    expect(await call("session/prompt", prompt(result.sessionId, "permit"))).toMatchObject({
      result: { stopReason: "end_turn" },
    });
  });

  it("cancels an open permission request if the last caller that could receive it disconnects", async () => {
    const decided = deferred<boolean>();
    const agent = echoAgent({
      prompt: async (turn) => {
        decided.resolve((await turn.permit(await turn.toolCall({ title: "Write a file" }))).allowed);
      },
    });
    const { post, call } = serve({}, agent);
    const { result } = await call("session/new", newSession);
    const body = { jsonrpc: "2.0", id: "p", method: "session/prompt", params: prompt(result.sessionId, "permit") };
    const stream = new RawStream(await post(body, { accept: "text/event-stream" }));
    await stream.next(({ method }) => method === "session/request_permission");
    await stream.cancel();
    expect(await decided.promise).toBe(false);
  });

  it.each([
    ["maxQueuedBytes wait", { maxQueuedBytes: 10_000 }, 20, 0],
    ["it reads nothing for stallTimeoutMs", { stallTimeoutMs: 5_000 }, 2, 10_000],
  ])(
    "drops a caller that does not read when %s, and cancels its permission requests",
    async (_, limits, updates, ms) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
      const decided = deferred<unknown>();
      const params = { sessionId: "s", text: "x".repeat(1_000) };
      const agent = scriptedAgent((message, peer) => {
        if (message.method === "initialize") peer.send({ id: message.id, result: { protocolVersion: 1 } });
        else if (message.method === undefined) decided.resolve(message);
        else {
          for (let count = 0; count < updates; count += 1) peer.notify("session/update", params);
          peer.request("session/request_permission", params, { id: "p1" });
        }
      });
      const { post } = serve({ limits }, agent);
      const body = { jsonrpc: "2.0", id: "p", method: "session/prompt", params: prompt("s", "permit") };
      const response = await post(body, { accept: "text/event-stream" });
      await vi.advanceTimersByTimeAsync(ms);
      expect(await decided.promise).toMatchObject({ id: "p1", result: { outcome: { outcome: "cancelled" } } });
      await new RawStream(response).ended();
    },
  );

  it("responds 504 if the agent does not respond to initialize within initializeTimeoutMs, and connects the agent again for the next request", async () => {
    const agents = [scriptedAgent(() => {}), echoAgent()];
    const { post, call } = serve({ limits: { initializeTimeoutMs: 10 } }, () => agents.shift() as ServedAgent);
    const response = await post({ jsonrpc: "2.0", id: 1, method: "session/list", params: {} });
    expect([response.status, await response.json()]).toMatchObject([
      504,
      { error: { data: { limit: "initializeTimeoutMs" } } },
    ]);
    expect(await call("session/list", {})).toMatchObject({ result: {} });
  });

  it("responds 429 to more than maxOpenRequests requests without a response", async () => {
    const started = deferred();
    const finished = deferred();
    const agent = echoAgent({
      prompt: () => {
        started.resolve();
        return finished.promise;
      },
    });
    const { post, call } = serve({ limits: { maxOpenRequests: 2 } }, agent);
    const { result } = await call("session/new", newSession);
    const turn = call("session/prompt", prompt(result.sessionId, "hi"));
    await started.promise;
    const list = (id: number) => ({ jsonrpc: "2.0", id, method: "session/list", params: {} });
    const refused = await post([list(1), list(2)]);
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { data: { limit: "maxOpenRequests" } } },
    ]);
    expect((await post([list(1)])).status).toBe(200);
    finished.resolve();
    expect(await turn).toMatchObject({ result: { stopReason: "end_turn" } });
    expect((await post([list(1), list(2)])).status).toBe(200);
  });

  it("can't have an idleTimeoutMs that is NaN, which would be no limit", () => {
    expect(() => createDirectHandler(echoAgent(), { idleTimeoutMs: Number.NaN })).toThrow(
      new TypeError("options.idleTimeoutMs must be a number from 0 to Infinity, not NaN"),
    );
  });

  it("does not count the ended conversation of a principal towards maxConnections", async () => {
    const connections: ServedAgentConnection[] = [];
    const agent: ServedAgent = {
      connect(transport, defaults) {
        const connection = echoAgent().connect(transport, defaults);
        connections.push(connection);
        return connection;
      },
    };
    const { call } = serve({ limits: { maxConnections: 1 } }, agent);
    await call("session/new", newSession);
    await connections[0]?.close();
    expect(await call("session/new", newSession)).toMatchObject({ result: { sessionId: "s1" } });
  });

  it.each(["application/json", "text/event-stream"])(
    "delivers the messages of an array in their order, with responses as %s",
    async (accept) => {
      const agent = echoAgent({
        prompt: ({ signal, text }) =>
          text === "first"
            ? new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
            : Promise.resolve(),
      });
      const { post, call } = serve({}, agent);
      const { sessionId } = (await call("session/new", newSession)).result;
      const response = await post(
        [
          { jsonrpc: "2.0", id: 1, method: "session/prompt", params: prompt(sessionId, "first") },
          { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } },
        ],
        { accept },
      );
      expect(await response.text()).toContain('"stopReason":"cancelled"');
      expect(await call("session/prompt", prompt(sessionId, "second"))).toMatchObject({
        result: { stopReason: "end_turn" },
      });
    },
  );

  it("does not cancel a request because a caller cancels a request of its own with any id", async () => {
    const started = deferred();
    const finished = deferred();
    const signals: AbortSignal[] = [];
    const agent = echoAgent({
      async prompt({ signal }) {
        signals.push(signal);
        started.resolve();
        await finished.promise;
      },
    });
    const { post, call } = serve({}, agent);
    const { result } = await call("session/new", newSession);
    const turn = call("session/prompt", prompt(result.sessionId, "hi"));
    await started.promise;
    for (const requestId of [0, 1, 2, 3]) {
      const response = await post({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
      expect(response.status).toBe(202);
    }
    await call("session/list", {}); // the agent has read the notifications before this request
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    finished.resolve();
    expect(await turn).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  it("responds to a prompt that does not wait with the id of a run, and returns the result to a later call", async () => {
    let finish = (): void => {};
    const wait = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { call } = serve(
      {},
      echoAgent({
        prompt: async () => {
          await wait;
        },
      }),
    );
    const { result } = await call("session/new", newSession);
    const started = await call("session/prompt", {
      ...prompt(result.sessionId, "hi"),
      _meta: { "acp-kit/wait": false },
    });
    const runId = started.result._meta["acp-kit/runId"];
    expect(await call("_acp-kit/run", { runId })).toMatchObject({ result: { status: "running" } });
    finish();
    await expect
      .poll(() => call("_acp-kit/run", { runId }))
      .toMatchObject({ result: { status: "completed", result: { stopReason: "end_turn" } } });
    expect(await call("_acp-kit/run", { runId: "other" })).toMatchObject({ error: { code: -32002 } });
  });

  it("accepts a bearer token or x-api-key, and separates principals", async () => {
    const tokens = new Map([
      ["a", { user: "ann" }],
      ["b", { user: "bob" }],
    ]);
    const { call, post } = serve({ authenticate: tokenAuthentication(tokens) }, () => echoAgent());
    expect((await post({})).status).toBe(401);
    const { result } = await call("session/new", newSession, { authorization: "Bearer a" });
    const same = await call("session/prompt", prompt(result.sessionId, "hi"), { "x-api-key": "a" });
    expect(same).toMatchObject({ result: { stopReason: "end_turn" } });
    const other = await call("session/prompt", prompt(result.sessionId, "hi"), { "x-api-key": "b" });
    expect(other).toMatchObject({ error: { code: expect.any(Number) } });
  });
});
