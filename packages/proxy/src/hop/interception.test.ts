import { RpcError } from "@acp-kit/jsonrpc";
import { createProxy, hopOf, refuse } from "@acp-kit/proxy";
import { describe, expect, test } from "vitest";
import { delivered, info, initialize, rawChain } from "../../test/raw-peer.js";

const prompt = { sessionId: "s", prompt: [{ type: "text", text: "hi" }] };

describe.each(["client", "agent"] as const)("beside the %s", (beside) => {
  test("messages without an interceptor pass unchanged", async () => {
    const chain = rawChain([createProxy({ info })], { beside });
    await initialize(chain);
    const { client, agent } = chain;
    client.request("a", "_odd/method", { big: "2", __proto__: { x: 1 }, nested: { id: null } });
    client.notify("_odd/note", [1, 2]);
    agent.chunk("one");
    await delivered();
    expect(agent.received.slice(1)).toEqual([
      { jsonrpc: "2.0", id: "a", method: "_odd/method", params: { big: "2", nested: { id: null } } },
      { jsonrpc: "2.0", method: "_odd/note", params: [1, 2] },
    ]);
    agent.respond("a", null);
    await delivered();
    expect(client.texts()).toEqual(["one"]);
    expect(client.responses("a")).toEqual([{ jsonrpc: "2.0", id: "a", result: null }]);
  });

  test("next() forwards the message, next(params) a changed one, and resolves with the result", async () => {
    const results: unknown[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/new": async ({ params }, next) => {
          const result = await next({ ...params, cwd: "/container" });
          results.push(result);
          return { ...result, _meta: { seen: true } };
        },
        "session/prompt": (_, next) => next(),
      },
      fromAgent: {
        "session/update": {
          agent_message_chunk: ({ params }, next) => {
            const { update } = params;
            if (update.content.type !== "text") return next();
            next({
              ...params,
              update: { ...update, content: { type: "text", text: update.content.text.toUpperCase() } },
            });
          },
        },
      },
    });
    const { client, agent } = rawChain([proxy], { beside });
    client.request(1, "session/new", { cwd: "/host", mcpServers: [], _meta: { kept: 1 } });
    await delivered();
    expect(agent.params("session/new")).toEqual({ cwd: "/container", mcpServers: [], _meta: { kept: 1 } });
    agent.respond(1, { sessionId: "s", _odd: 1 });
    await delivered();
    expect(results).toEqual([{ sessionId: "s", _odd: 1 }]);
    expect(client.response(1).result).toEqual({ sessionId: "s", _odd: 1, _meta: { seen: true } });
    client.request(2, "session/prompt", prompt);
    await delivered();
    agent.chunk("hello");
    agent.respond(2, { stopReason: "end_turn" });
    await delivered();
    expect(client.texts()).toEqual(["HELLO"]);
    expect(client.names).toEqual([1, "session/update", 2]);
  });

  test("an interceptor responds to a request without the receiver; a notification without next() is dropped and reported once", async () => {
    const reports: string[] = [];
    const proxy = createProxy({
      info,
      fromAgent: {
        "fs/read_text_file": ({ params }) => ({ content: `text of ${params.path}` }),
        "session/update": { plan: () => {} },
      },
      onDiagnostic: ({ code, method }) => reports.push(`${code} ${method}`),
    });
    const { client, agent } = rawChain([proxy], { beside });
    agent.request(7, "fs/read_text_file", { sessionId: "s", path: "/a" });
    for (let n = 0; n < 2; n += 1)
      agent.notify("session/update", { sessionId: "s", update: { sessionUpdate: "plan", entries: [] } });
    agent.chunk("kept");
    await delivered();
    expect(agent.response(7).result).toEqual({ content: "text of /a" });
    expect(client.names).toEqual(["session/update"]);
    expect(client.texts()).toEqual(["kept"]);
    expect(reports).toEqual(["dropped_notification session/update"]);
  });

  test("a receiver that responds while the request is sent", async () => {
    const proxy = createProxy({
      info,
      fromClient: { _a: (_, next) => next(), _b: async (_, next) => await next() },
      fromAgent: { _a: (_, next) => next(), _b: async (_, next) => await next() },
    });
    const { client, agent } = rawChain([proxy, proxy], { beside });
    for (const peer of [client, agent])
      peer.onMessage = ({ id, method }) => {
        if (method !== undefined) peer.respond(id, `${method} of ${id}`);
      };
    for (const [from, peer] of Object.entries({ client, agent })) {
      for (const [id, method] of [
        [`${from}1`, "_a"],
        [`${from}2`, "_b"],
      ] as const) {
        peer.request(id, method, { sessionId: "s" });
        await delivered();
        expect(peer.responses(id)).toEqual([{ jsonrpc: "2.0", id, result: `${method} of ${id}` }]);
      }
    }
  });

  test('"*" gets the messages without an interceptor of their own, extension methods too', async () => {
    const seen: string[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": (_, next) => next(),
        "*": ({ method }, next) => {
          seen.push(method);
          return next();
        },
      },
      fromAgent: { _known: (_, next) => next({ changed: true }), "session/update": { plan: (_, next) => next() } },
    });
    const { client, agent } = rawChain([proxy], { beside });
    client.request(1, "session/prompt", prompt);
    client.request(2, "_odd", {});
    client.notify("_note");
    agent.notify("_known", {});
    await delivered();
    expect(seen).toEqual(["_odd", "_note"]);
    expect(agent.names).toEqual(["session/prompt", "_odd", "_note"]);
    expect(client.params("_known")).toEqual({ changed: true });
  });

  test("proxy.errors: an agent's error passes unchanged, also if the interceptor rethrows it", async () => {
    const odd = { code: -1.5, message: "odd", data: [1], extra: true };
    for (const rethrow of [false, true]) {
      const proxy = createProxy({
        info,
        fromClient: { "session/prompt": rethrow ? async (_, next) => await next() : (_, next) => next() },
      });
      const { client, agent } = rawChain([proxy], { beside });
      client.request(1, "session/prompt", prompt);
      await delivered();
      agent.fail(1, odd);
      await delivered();
      expect(client.response(1).error).toEqual(odd);
    }
  });

  test("proxy.errors: every other error names the proxy and the reason, without a stack, path or secret", async () => {
    const causes: unknown[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": () => {
          throw new Error("secret sk-1 in /home/me");
        },
        "session/close": () => refuse("Sessions stay open."),
        "session/delete": () => {
          throw new RpcError(-32002, "Gone", { data: { id: 1 } });
        },
        "session/list": (() => undefined) as never,
      },
      onDiagnostic: ({ cause }) => causes.push(cause),
    });
    const { client, agent } = rawChain([createProxy({ info: { name: "outer", version: "1" } }), proxy], { beside });
    client.request(1, "session/prompt", prompt);
    client.request(2, "session/close", { sessionId: "s" });
    client.request(3, "session/delete", { sessionId: "s" });
    client.request(4, "session/list", {});
    await delivered();
    const hop = { name: "house-rules", index: 1 };
    expect(client.response(1).error).toEqual({
      code: -32603,
      message: 'The ACP proxy "house-rules" failed',
      data: { "acp-kit/hop": { ...hop, reason: "proxy_failed" } },
    });
    expect(client.response(2).error).toEqual({
      code: -32602,
      message: "Sessions stay open.",
      data: { "acp-kit/hop": { ...hop, reason: "refused" } },
    });
    expect(client.response(3).error?.data).toEqual({ id: 1, "acp-kit/hop": { ...hop, reason: "refused" } });
    expect(client.response(4).error?.code).toBe(-32603);
    expect(agent.received).toEqual([]);
    expect(String(causes[0])).toContain("secret");
    const { code, message, data } = client.response(2).error as { code: number; message: string; data: unknown };
    expect(hopOf(new RpcError(code, message, { data }))).toEqual({ ...hop, reason: "refused" });
    expect(hopOf(new RpcError(1, "other"))).toBeUndefined();
  });

  test("proxy.next-once: next twice, after the response, after the end", async () => {
    const problems: unknown[] = [];
    const late: ((params?: never) => unknown)[] = [];
    const attempt = (next: (params?: never) => unknown): void => {
      try {
        next();
      } catch (error) {
        problems.push(String(error));
      }
    };
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": (_, next) => {
          const first = next();
          attempt(next);
          return first;
        },
        "session/list": (_, next) => {
          late.push(next);
          return { sessions: [] };
        },
        _note: (_, next) => {
          late.push(next as never);
        },
      },
      fromAgent: {
        "session/update": (_, next) => {
          next();
          attempt(next);
          late.push(next);
        },
      },
    });
    const { client, agent } = rawChain([proxy], { beside });
    client.request(1, "session/prompt", prompt);
    client.request(2, "session/list", {});
    client.notify("_note");
    agent.chunk("a");
    await delivered();
    for (const next of late) attempt(next);
    await client.transport.close();
    await delivered();
    for (const next of late) attempt(next);
    expect(agent.names).toEqual(["session/prompt"]);
    expect(client.texts()).toEqual(["a"]);
    expect(problems.slice(0, 2).sort()).toEqual([
      "TypeError: next() of the interceptor for session/prompt was called twice",
      "TypeError: next() of the interceptor for session/update was called twice",
    ]);
    expect(problems).toHaveLength(8);
    expect(problems.every((problem) => /TypeError|ConnectionError/.test(String(problem)))).toBe(true);
  });

  test("params that the protocol does not allow refuse the message when an interceptor reads them", async () => {
    const reports: string[] = [];
    const proxy = createProxy({
      info,
      fromClient: { "session/prompt": ({ params }, next) => next(params), "session/close": (_, next) => next() },
      fromAgent: { "session/update": ({ params }, next) => next(params) },
      onDiagnostic: ({ code }) => reports.push(code),
    });
    const { client, agent } = rawChain([proxy], { beside });
    client.request(1, "session/prompt", { sessionId: "s" });
    client.request(2, "session/close", { sessionId: "s", odd: 1 });
    agent.notify("session/update", { sessionId: "s" });
    await delivered();
    expect(client.response(1).error?.code).toBe(-32602);
    expect(agent.names).toEqual(["session/close"]);
    expect(client.names).toEqual([1]);
    expect(reports).toEqual(["invalid_params"]);
  });

  test("a proxy sends requests and notifications of its own to both sides", async () => {
    const answers: unknown[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": async ({ client, agent, params }, next) => {
          const { content } = await client.request("fs/read_text_file", {
            sessionId: params.sessionId,
            path: "/rules",
          });
          answers.push(content, await agent.request("_ask", { a: 1 }));
          agent.notify("_hint", { b: 2 });
          client.notify("_progress", {});
          return await next();
        },
      },
    });
    const { client, agent } = rawChain([proxy, createProxy({ info })], { beside });
    client.request(1, "session/prompt", prompt);
    await delivered();
    expect(client.params("fs/read_text_file")).toEqual({ sessionId: "s", path: "/rules" });
    client.respond(client.idOf("fs/read_text_file"), { content: "be kind" });
    await delivered();
    agent.respond(agent.idOf("_ask"), "yes");
    await delivered();
    expect(answers).toEqual(["be kind", "yes"]);
    expect(agent.names).toEqual(["_ask", "_hint", "session/prompt"]);
    expect(client.names).toEqual(["fs/read_text_file", "_progress"]);
    agent.respond(1, { stopReason: "end_turn" });
    await delivered();
    expect(client.response(1).result).toEqual({ stopReason: "end_turn" });
  });

  test("the session of a message says how it was opened, and whether a prompt is the first", async () => {
    const seen: unknown[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": ({ session: { id, cwd, origin, isFirstPrompt } }, next) => {
          seen.push([id, cwd, origin, isFirstPrompt]);
          return next();
        },
      },
    });
    const { client, agent } = rawChain([proxy], { beside });
    client.request(1, "session/new", { cwd: "/work", mcpServers: [] });
    client.request(2, "session/load", { sessionId: "old", cwd: "/old", mcpServers: [] });
    await delivered();
    agent.respond(1, { sessionId: "s" });
    agent.respond(2, {});
    await delivered();
    client.request(3, "session/prompt", prompt);
    await delivered();
    agent.fail(3, { code: -32000, message: "Authentication required" });
    await delivered();
    for (const [id, sessionId] of [
      [4, "s"],
      [5, "s"],
      [6, "old"],
      [7, "unseen"],
    ] as const)
      client.request(id, "session/prompt", { ...prompt, sessionId });
    await delivered();
    expect(seen).toEqual([
      ["s", "/work", "new", true],
      ["s", "/work", "new", true],
      ["s", "/work", "new", false],
      ["old", "/old", "load", false],
      ["unseen", undefined, "unknown", false],
    ]);
  });
});

test("proxy.unchanged: reading params and results adds no defaults to what is forwarded; faults that an interceptor did not see are not forwarded", async () => {
  const proxy = createProxy({
    info,
    fromClient: {
      initialize: async ({ params }, next) => {
        expect(params.clientCapabilities?.terminal).toBe(false);
        return await next(params);
      },
    },
    fromAgent: { "session/request_permission": ({ params }, next) => (params.toolCall ? next() : next()) },
  });
  const { client, agent } = rawChain([proxy]);
  const params = { protocolVersion: 1, clientCapabilities: { fs: {} } };
  client.request(1, "initialize", params);
  await delivered();
  expect(agent.params("initialize")).toEqual(params);
  agent.respond(1, { protocolVersion: 1 });
  const toolCall = { toolCallId: "t", kind: 5, _odd: 1 };
  agent.request(2, "session/request_permission", { sessionId: "s", toolCall, options: [] });
  await delivered();
  expect(client.response(1).result).toEqual({ protocolVersion: 1, _meta: { "acp-kit/proxies": [info] } });
  expect(client.params("session/request_permission").toolCall).not.toHaveProperty("kind", 5);
  expect(client.params("session/request_permission").toolCall).toMatchObject({ toolCallId: "t", _odd: 1 });
});
