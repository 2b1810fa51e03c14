import { describe, expect, it, vi } from "vitest";
import { manual, pair } from "../test/connect.js";
import { gate, turn, watch } from "../test/settle.js";
import { methodNotFound, RpcError } from "./index.js";
import { CANCEL_REQUEST } from "./internal.js";

describe("requests of the peer", () => {
  it.each([7, "7", "", 0, "9007199254740993", -1, null])(
    "RPC-04 the response to id %j echoes it in value and type",
    (id) => {
      const { connection, transport } = manual();
      connection.onRequest("echo", (params) => params);
      connection.listen();
      transport.deliver({ id, method: "echo", params: { a: 1 } });
      expect(transport.sent).toEqual([{ jsonrpc: "2.0", id, result: { a: 1 } }]);
    },
  );

  it("RPC-01, RPC-03 every response carries the version and one of result and error", async () => {
    const { connection, transport } = manual();
    connection.onRequest("nothing", () => undefined);
    connection.onRequest("later", async () => ({}));
    connection.onRequest("no", () => {
      throw new RpcError(4, "no");
    });
    connection.listen();
    transport.deliver({ id: 1, method: "nothing" }, { id: 2, method: "later" }, { id: 3, method: "no" });
    await turn();
    for (const answer of transport.sent) {
      expect(answer.jsonrpc).toBe("2.0");
      expect("result" in answer).not.toBe("error" in answer);
    }
    expect(transport.sent).toContainEqual({ jsonrpc: "2.0", id: 1, result: null });
  });

  it("RPC-04 get one response, even from a handler whose thenable settles twice", async () => {
    const { connection, transport } = manual();
    connection.onRequest("twice", () => ({
      // biome-ignore lint/suspicious/noThenProperty: a bad thenable is the case
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        resolve(1);
        resolve(2);
        reject(new Error("3"));
      },
    }));
    connection.listen();
    transport.deliver({ id: 1, method: "twice" });
    await turn();
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: 1 }]);
  });

  it("RPC-09 get their responses in the order in which their handlers finish", async () => {
    const { connection, transport } = manual();
    const first = gate<string>();
    connection.onRequest("slow", () => first.promise);
    connection.onRequest("fast", () => "fast");
    connection.listen();
    transport.deliver({ id: 1, method: "slow" }, { id: 2, method: "fast" });
    first.open("slow");
    await turn();
    expect(transport.sent.map(({ id }) => id)).toEqual([2, 1]);
  });

  it.each(["no/such", "Session/New", "rpc.x", "_vendor/x", "$/x", "toString"])(
    "RPC-15 for %s, without a handler, get -32601",
    (method) => {
      const { connection, transport } = manual();
      connection.onRequest("session/new", () => ({}));
      connection.listen();
      transport.deliver({ id: 1, method });
      expect(transport.sent).toEqual([
        { jsonrpc: "2.0", id: 1, error: { code: -32601, message: `Method not found: ${method}`, data: { method } } },
      ]);
    },
  );

  it("with an id that another open request has each get a response, and each handler can be cancelled", async () => {
    const { connection, transport } = manual();
    const signals: AbortSignal[] = [];
    connection.onRequest("m", (_, { signal }) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    connection.listen();
    transport.deliver({ id: null, method: "m" }, { id: null, method: "m" });
    await connection.close({ drainTimeoutMs: 1_000 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(transport.sent.map(({ id }) => id)).toEqual([null, null]);
  });

  it("with one id are each found by a cancellation, whichever got its response first", async () => {
    const { connection, transport } = manual();
    const first = gate();
    const aborted: string[] = [];
    connection.onRequest("short", () => first.promise);
    connection.onRequest("long", (_, { signal }) => {
      signal.addEventListener("abort", () => aborted.push("long"));
      return new Promise(() => {});
    });
    connection.listen();
    transport.deliver({ id: 1, method: "long" }, { id: 1, method: "short" }, { id: 2, method: "long" });
    first.open();
    await turn();
    transport.deliver({ method: CANCEL_REQUEST, params: { requestId: 1 } });
    expect(aborted).toEqual(["long"]);
  });

  it("above maxOpenRequests are refused, and accepted again when others have finished", async () => {
    const { connection, transport, diagnostics } = manual({ maxOpenRequests: 2 });
    const hold = gate();
    connection.onRequest("hold", () => hold.promise);
    connection.onRequest("m", () => 1);
    connection.listen();
    transport.deliver({ id: 1, method: "hold" }, { id: 2, method: "hold" }, { id: 3, method: "m" });
    expect(transport.sent).toEqual([
      { jsonrpc: "2.0", id: 3, error: { code: -32603, message: "More than 2 requests are open" } },
    ]);
    expect(diagnostics).toMatchObject([{ code: "too_many_requests", id: 3, method: "m" }]);
    hold.open();
    await turn();
    transport.deliver({ id: 4, method: "m" });
    expect(transport.sent.at(-1)).toEqual({ jsonrpc: "2.0", id: 4, result: 1 });
  });

  it("run the handler registered last, with the params as decoded", () => {
    const { connection, transport } = manual();
    const first = vi.fn();
    connection.onRequest("m", first);
    connection.onRequest(
      "m",
      (params) => params,
      (params) => ({ decoded: params }),
    );
    connection.listen();
    transport.deliver({ id: 1, method: "m", params: { a: 1 } });
    expect(first).not.toHaveBeenCalled();
    expect(transport.sent[0]?.result).toEqual({ decoded: { a: 1 } });
  });

  it("RPC-11 pass missing or null params on as they are", () => {
    const { connection, transport } = manual();
    const seen: unknown[] = [];
    connection.onRequest("m", (params) => void seen.push(params));
    connection.listen();
    transport.deliver({ id: 1, method: "m" }, { id: 2, method: "m", params: null }, { id: 3, method: "m", params: {} });
    expect(seen).toEqual([undefined, null, {}]);
  });

  it("without a handler go to the fallback, which may leave them unknown", async () => {
    const { connection, transport } = manual({
      fallback: {
        request: (method) => (method === "_x" ? { handler: () => "x", decode: (params) => params } : undefined),
      },
    });
    connection.listen();
    transport.deliver({ id: 1, method: "_x" }, { id: 2, method: "_y" });
    expect(transport.sent).toMatchObject([
      { id: 1, result: "x" },
      { id: 2, error: { code: -32601 } },
    ]);
  });
});

describe("notifications of the peer", () => {
  it.each([
    ["of an unknown method", { method: "_x.test/none" }, "unknown_notification"],
    ["of an unknown protocol method", { method: "$/unknown" }, "unknown_notification"],
    ["whose params are refused", { method: "strict", params: 5 }, "invalid_params"],
    ["whose handler throws", { method: "throws" }, "handler_failed"],
    ["whose handler rejects", { method: "rejects" }, "handler_failed"],
  ])("RPC-05, RPC-16 %s are reported and get no response", async (_, notification, code) => {
    const { connection, transport, diagnostics } = manual();
    const refuse = (): never => {
      throw new Error("no such session");
    };
    connection.onNotification("strict", () => {}, refuse);
    connection.onNotification("throws", refuse);
    connection.onNotification("rejects", async () => refuse());
    connection.listen();
    transport.deliver(notification, { id: "fence", method: "fence" });
    await turn();
    expect(transport.sent.map(({ id }) => id)).toEqual(["fence"]);
    expect(diagnostics).toMatchObject([{ code, method: notification.method }]);
  });

  it("without a lane, too, when their handler rejects", async () => {
    const { connection, transport, diagnostics } = manual({ orderBy: () => undefined });
    connection.onNotification("m", async () => {
      throw new Error("oh");
    });
    connection.listen();
    transport.deliver({ method: "m" });
    await turn();
    expect(diagnostics).toMatchObject([{ code: "handler_failed", cause: { message: "oh" } }]);
  });

  it("of one method go to the handler that was registered last, also between two of them", () => {
    const { connection, transport, diagnostics } = manual({
      fallback: { notification: (method) => ({ handler: () => void log.push(`fallback ${method}`) }) },
    });
    const log: string[] = [];
    const one = { method: "one" };
    connection.listen();
    transport.deliver(one, one);
    connection.onNotification("one", () => void log.push("first"));
    transport.deliver(one, one, { method: "two" }, one);
    connection.onNotification("one", () => void log.push("second"));
    transport.deliver(one);
    expect(log).toEqual(["fallback one", "fallback one", "first", "first", "fallback two", "first", "second"]);
    expect(diagnostics).toEqual([]);
  });

  it("without a handler go to the fallback", () => {
    const handler = vi.fn();
    const { connection, transport, diagnostics } = manual({
      fallback: { notification: (method) => (method === "_x" ? { handler } : undefined) },
    });
    connection.listen();
    transport.deliver({ method: "_x", params: { a: 1 } }, { method: "_y" });
    expect(handler).toHaveBeenCalledWith({ a: 1 }, expect.any(Number));
    expect(diagnostics).toMatchObject([{ code: "unknown_notification", method: "_y" }]);
  });

  it("carry their size", () => {
    const { connection, transport } = manual();
    const handler = vi.fn();
    connection.onNotification("m", handler);
    connection.listen();
    transport.deliverValue({ jsonrpc: "2.0", method: "m" }, 4711);
    expect(handler).toHaveBeenCalledWith(undefined, 4711);
  });
});

describe("our requests", () => {
  it("RPC-02, RPC-06, RPC-07 have an integer id of their own, a method and params as they were given", () => {
    const { connection, transport } = manual();
    connection.listen();
    void connection.request("a", { x: 1 });
    void connection.request("b");
    expect(transport.sent).toEqual([
      { jsonrpc: "2.0", id: 1, method: "a", params: { x: 1 } },
      { jsonrpc: "2.0", id: 2, method: "b" },
    ]);
  });

  it("RPC-08 don't collide with requests of the peer that have the same id", async () => {
    const { connection, transport } = manual();
    connection.onRequest("session/request_permission", () => "allowed");
    connection.listen();
    const prompt = connection.request("session/prompt");
    transport.deliver({ id: 1, method: "session/request_permission" });
    transport.deliver({ id: 1, result: "done" });
    expect(await prompt).toBe("done");
    expect(transport.responses).toEqual([{ jsonrpc: "2.0", id: 1, result: "allowed" }]);
  });

  it("RPC-08 are not settled by an invalid request of the peer that has the same id", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const prompt = watch(connection.request("session/prompt"));
    transport.deliverValue({ jsonrpc: "1.0", id: 1, method: "initialize" });
    transport.deliverValue({ jsonrpc: "2.0", id: 1, method: 5 });
    await turn();
    expect(prompt.state()).toBe("pending");
    expect(transport.responses).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 1, error: { code: -32600 } },
    ]);
  });

  it("RPC-09 are settled by their responses in any order", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const first = connection.request("a");
    const second = connection.request("b");
    transport.deliver({ id: 2, result: "b" }, { id: 1, result: "a" });
    expect(await Promise.all([first, second])).toEqual(["a", "b"]);
  });

  it.each(["1", 1.5, null, undefined, { id: 1 }, [1], true])(
    "are not settled by a response with the id %j",
    async (id) => {
      const { connection, transport, diagnostics } = manual();
      connection.listen();
      const request = watch(connection.request("a"));
      transport.deliverValue({ jsonrpc: "2.0", id, result: "wrong" });
      await turn();
      expect(request.state()).toBe("pending");
      expect(diagnostics).toMatchObject([{ code: "unknown_response" }]);
      expect(transport.responses).toEqual([]);
    },
  );

  it("RPC-17 a response to no request is reported with its error and gets no response", () => {
    const { connection, transport, diagnostics } = manual();
    connection.listen();
    transport.deliver({ id: "ghost", result: {} }, { error: { code: -32700, message: "Parse error" } });
    expect(transport.sent).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: "unknown_response", id: "ghost" },
      { code: "unknown_response", id: undefined, data: { code: -32700, message: "Parse error" } },
    ]);
  });

  it("settle with the first of two responses; the second is late", async () => {
    const { connection, transport, diagnostics } = manual();
    connection.listen();
    const request = connection.request("a");
    transport.deliver({ id: 1, result: "first" }, { id: 1, error: { code: 1, message: "second" } });
    expect(await request).toBe("first");
    expect(diagnostics).toMatchObject([{ code: "late_response", id: 1 }]);
  });

  it.each([
    ["null", { result: null }, null],
    ["false", { result: false }, false],
    ["an object beside a null error", { result: { a: 1 }, error: null }, { a: 1 }],
  ])("resolve with %s", async (_, answer, expected) => {
    const { connection, transport } = manual();
    connection.listen();
    const request = connection.request("a");
    transport.deliver({ id: 1, ...answer });
    expect(await request).toEqual(expected);
  });

  it.each([
    ["an id and nothing else", {}],
    ["an error that is null", { error: null }],
  ])("reject when the response is %s", async (_, answer) => {
    const { connection, transport } = manual();
    connection.listen();
    const request = connection.request("a");
    transport.deliver({ id: 1, ...answer });
    await expect(request).rejects.toMatchObject({ name: "ConnectionError", code: "invalid_response", method: "a" });
    expect(transport.responses).toEqual([]);
    expect(connection.state).toBe("open");
  });

  it("reject with what `decode` throws, and resolve with what it returns", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const good = connection.request("a", {}, { decode: (result) => [result] });
    const bad = connection.request(
      "a",
      {},
      {
        decode: () => {
          throw new RangeError("not what the schema says");
        },
      },
    );
    transport.deliver({ id: 1, result: 1 }, { id: 2, result: 1 });
    expect(await good).toEqual([1]);
    await expect(bad).rejects.toThrow(RangeError);
  });

  it("call onSettled once, however they settle, before messages behind the response are handled", async () => {
    const { connection, transport } = manual({ cancelTimeoutMs: 0 });
    const log: string[] = [];
    connection.onNotification("behind", () => void log.push("behind"));
    connection.listen();
    const ask = (name: string, options = {}) =>
      connection.request(name, {}, { ...options, onSettled: () => log.push(name) }).catch(() => {});
    void ask("result");
    void ask("error");
    const controller = new AbortController();
    const cancelled = ask("cancelled", { signal: controller.signal });
    void ask("end");
    transport.deliver({ id: 1, result: 1 }, { method: "behind" }, { id: 2, error: { code: 1, message: "m" } });
    expect(log).toEqual(["result", "behind", "error"]);
    controller.abort();
    await cancelled;
    await connection.close();
    expect(log).toEqual(["result", "behind", "error", "cancelled", "end"]);
  });

  it("settle all the same when onSettled throws", async () => {
    const { connection, transport, diagnostics } = manual();
    connection.listen();
    const request = connection.request(
      "a",
      {},
      {
        onSettled: () => {
          throw new Error("hook");
        },
      },
    );
    transport.deliver({ id: 1, result: "a" });
    expect(await request).toBe("a");
    expect(diagnostics).toMatchObject([{ code: "hook_failed", cause: { message: "hook" } }]);
  });

  it("settle even when a peer in this process responds before `send` has returned", async () => {
    const { connection, transport } = manual();
    connection.listen();
    transport.onSend = (message) => {
      if ("method" in message && "id" in message) transport.deliver({ id: message.id, result: "at once" });
    };
    expect(await connection.request("a", {}, { timeoutMs: 1_000 })).toBe("at once");
  });

  it.each([
    ["a string", "x"],
    ["a number", 5],
    ["a boolean", true],
    ["a function", () => {}],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
  ])("RPC-10 are refused when params are %s: JSON-RPC does not allow it", async (_, params) => {
    const { connection, transport } = manual();
    await expect(connection.request("a", params)).rejects.toThrow(TypeError);
    expect(() => connection.notify("a", params)).toThrow(TypeError);
    expect(transport.sent).toEqual([]);
  });

  it("that can't be serialized reject alone, and send nothing", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const other = connection.request("b");
    await expect(connection.request("a", circular)).rejects.toThrow(TypeError);
    expect(() => connection.notify("a", { big: 1n })).toThrow(TypeError);
    transport.deliver({ id: 1, result: "b" });
    expect(await other).toBe("b");
    expect(transport.sent).toHaveLength(1);
  });
});

describe("both sides", () => {
  it.each([true, false])(
    "send each other requests at the same time, from within handlers too (serialize: %s)",
    async (serialize) => {
      const [client, agent] = pair({ serialize });
      client.onRequest("fs/read", (params) => ({ content: `of ${(params as { path: string }).path}` }));
      agent.onRequest("session/prompt", async (params) => {
        const file = await agent.request<{ content: string }>("fs/read", { path: "/a" });
        return { params, file };
      });
      client.listen();
      agent.listen();
      const answers = await Promise.all([1, 2, 3].map((n) => client.request("session/prompt", { n })));
      expect(answers).toEqual([1, 2, 3].map((n) => ({ params: { n }, file: { content: "of /a" } })));
    },
  );

  it("forward an error with its code and data", async () => {
    const [client, agent] = pair();
    agent.onRequest("m", () => {
      throw new RpcError(-32002, "No such session", { data: { sessionId: "s" } });
    });
    client.listen();
    agent.listen();
    await expect(client.request("m")).rejects.toMatchObject({
      name: "RpcError",
      code: -32002,
      message: "No such session",
      data: { sessionId: "s" },
    });
    await expect(client.request("n")).rejects.toEqual(methodNotFound("n"));
  });
});
