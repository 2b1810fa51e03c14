import { describe, expect, it, vi } from "vitest";
import { manual } from "../test/connect.js";
import { turn, watch } from "../test/settle.js";
import { RpcError } from "./index.js";

describe("a handler that fails", () => {
  it("sends the peer nothing but `Internal error`; the cause goes to the diagnostics", async () => {
    const { connection, transport, diagnostics } = manual();
    const cause = new Error("ENOENT: /home/me/secret");
    connection.onRequest("sync", () => {
      throw cause;
    });
    connection.onRequest("async", async () => {
      throw cause;
    });
    connection.onRequest("odd", () => Promise.reject("a string"));
    connection.listen();
    transport.deliver({ id: 1, method: "sync" }, { id: 2, method: "async" }, { id: 3, method: "odd" });
    await turn();
    expect(transport.sent).toEqual(
      [1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "Internal error" } })),
    );
    expect(diagnostics).toMatchObject([
      { code: "handler_failed", method: "sync", id: 1, cause },
      { code: "handler_failed", method: "async", id: 2, cause },
      { code: "handler_failed", method: "odd", id: 3, cause: "a string" },
    ]);
  });

  it("ERR-08 leaves the connection as it was", async () => {
    const { connection, transport } = manual();
    connection.onRequest("m", () => {
      throw new RpcError(-32000, "Log in first");
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" }, { id: 2, method: "m" });
    expect(transport.sent.map(({ id }) => id)).toEqual([1, 2]);
    expect(connection.state).toBe("open");
  });

  it("ERR-01 sends an int32 and a string, whatever was thrown under the brand of an RpcError", () => {
    const { connection, transport } = manual();
    connection.onRequest("m", () => {
      throw Object.assign(new RpcError(Number.NaN, ""), { message: undefined });
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "undefined" } }]);
  });
});

describe("a result that can't be serialized is an error of that request alone", () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  it.each([
    ["a circle", circular],
    ["a bigint", { n: 1n }],
    ["a function", () => {}],
    ["a symbol", Symbol("s")],
    [
      "a toJSON that throws",
      {
        toJSON: () => {
          throw new Error("no");
        },
      },
    ],
    ["a toJSON that gives a function", { toJSON: () => () => {} }],
  ])("%s", async (_, result) => {
    const { connection, transport, diagnostics } = manual();
    connection.onRequest("bad", async () => result);
    connection.onRequest("good", () => "good");
    connection.listen();
    transport.deliver({ id: 1, method: "bad" }, { id: 2, method: "good" });
    await turn();
    expect(transport.sent.toSorted((a, b) => Number(a.id) - Number(b.id))).toMatchObject([
      { id: 1, error: { code: -32603, message: "Internal error: the result can't be serialized" } },
      { id: 2, result: "good" },
    ]);
    expect(diagnostics).toMatchObject([{ code: "unserializable", method: "bad", id: 1 }]);
  });

  it.each([
    ["undefined", undefined, null],
    ["a toJSON that gives nothing, which JSON would leave out", { toJSON: () => undefined }, null],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ])("RPC-03 but %s has a result", (_, result, expected) => {
    const { connection, transport } = manual();
    connection.onRequest("m", () => result);
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: expected }]);
  });

  it("error data that can't be serialized is left out", () => {
    const { connection, transport, diagnostics } = manual();
    connection.onRequest("m", () => {
      throw new RpcError(7, "seven", { data: { n: 1n } });
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: 7, message: "seven" } }]);
    expect(diagnostics).toMatchObject([{ code: "unserializable", id: 1 }]);
  });

  it("a transport that refuses every message breaks nothing", async () => {
    const { connection, transport, diagnostics } = manual();
    connection.onRequest("m", async () => 1);
    connection.listen();
    transport.onSend = () => {
      throw new Error("write after end");
    };
    transport.deliver({ id: 1, method: "m" }, { id: 2, method: "n" });
    transport.deliverValue(42);
    transport.deliverMalformed();
    await expect(connection.request("a", {}, { timeoutMs: 1_000 })).rejects.toThrow("write after end");
    await turn();
    expect(diagnostics.filter(({ code }) => code === "unserializable").length).toBeGreaterThanOrEqual(4);
    expect(connection.state).toBe("open");
  });
});

describe("input that is not a JSON-RPC message", () => {
  it("RPC-13 that is not JSON gets -32700 without an id", () => {
    const { connection, transport, diagnostics } = manual();
    connection.listen();
    transport.deliverMalformed({ excerpt: '{"jsonrpc":' });
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }]);
    expect(diagnostics).toMatchObject([{ code: "malformed_input", data: { excerpt: '{"jsonrpc":' } }]);
  });

  it("that is too large gets -32600", () => {
    const { connection, transport } = manual();
    connection.listen();
    transport.deliverMalformed({ kind: "too_large", message: "A message is larger than 64 MiB" });
    expect(transport.sent).toMatchObject([
      { id: null, error: { code: -32600, message: "A message is larger than 64 MiB" } },
    ]);
  });

  it("that is too large, and a response, settles that request", async () => {
    const { connection, transport } = manual({ respondToMalformed: false });
    connection.listen();
    const answer = connection.request("big");
    const message = "A message is larger than 64 MiB";
    transport.deliverMalformed({
      kind: "too_large",
      message,
      excerpt: '{"jsonrpc":"2.0","id":1,"result":{"content":"xx',
    });
    await expect(answer).rejects.toMatchObject({ name: "ConnectionError", code: "invalid_response", method: "big" });
    expect(transport.sent).toHaveLength(1); // the request; no error response to a response
  });

  it("that is too large, and a request, gets an error under its id, so that its sender does not wait for ever", () => {
    const { connection, transport } = manual({ respondToMalformed: false });
    connection.listen();
    const message = "A message is larger than 64 MiB";
    transport.deliverMalformed({
      kind: "too_large",
      message,
      excerpt: '{"jsonrpc":"2.0","id":"r1","method":"x","params":{',
    });
    expect(transport.sent).toMatchObject([{ id: "r1", error: { code: -32600, message } }]);
  });

  it("is only reported with respondToMalformed: false, as a client does whose agent prints banners", () => {
    const { connection, transport, diagnostics } = manual({ respondToMalformed: false });
    connection.listen();
    transport.deliverMalformed({ excerpt: "Welcome!" });
    expect(transport.sent).toEqual([]);
    expect(diagnostics).toHaveLength(1);
  });

  it.each([
    [42, null],
    ["x", null],
    [{}, null],
    [{ jsonrpc: "1.0", id: 1, method: "initialize" }, 1],
    [{ jsonrpc: "2.0", id: {}, method: "x" }, null],
    [{ jsonrpc: "2.0", id: 1.5, method: "x" }, null],
    [
      [
        { jsonrpc: "2.0", id: 1, method: "x" },
        { jsonrpc: "2.0", id: 2, method: "x" },
      ],
      null,
    ],
    [[], null],
  ])("RPC-12, RPC-14 %j gets -32600 once, and the next request is served", (value, id) => {
    const { connection, transport } = manual();
    connection.onRequest("x", () => 1);
    connection.listen();
    transport.deliverValue(value);
    transport.deliver({ id: "fence", method: "x" });
    expect(transport.sent).toMatchObject([
      { id, error: { code: -32600 } },
      { id: "fence", result: 1 },
    ]);
  });

  it.each([
    42,
    null,
    [],
    [[{ jsonrpc: "2.0", id: 1, method: "x" }]],
    {},
    { level: 30, time: 1_700_000_000_000, pid: 7, msg: "ready" },
    { level: 30, id: 1, method: "GET", url: "/", msg: "request" },
    { level: 50, id: 1, msg: "failed" },
    { jsonrpc: "2.0" },
    { jsonrpc: "2.0", id: "unknown" },
    { jsonrpc: "2.0", id: {}, method: "x" },
  ])("%j is reported and skipped with respondToMalformed: false: it may be a log line", async (value) => {
    const { connection, transport, diagnostics } = manual({ respondToMalformed: false });
    connection.listen();
    const request = watch(connection.request("m"));
    transport.deliverValue(value);
    await turn();
    expect(transport.responses).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "invalid_message" }]);
    expect(request.state()).toBe("pending");
  });

  it("that is a broken request gets an error even with respondToMalformed: false, because its sender waits", () => {
    const { connection, transport } = manual({ respondToMalformed: false });
    connection.listen();
    transport.deliverValue({ jsonrpc: "1.0", id: 71, method: "x" });
    transport.deliverValue({ jsonrpc: "2.0", id: "72", method: 5 });
    expect(transport.responses).toMatchObject([
      { id: 71, error: { code: -32600 } },
      { id: "72", error: { code: -32600 } },
    ]);
  });

  it("RPC-05 that was meant as a notification gets no response", () => {
    const { connection, transport, diagnostics } = manual();
    connection.listen();
    transport.deliverValue({ method: "session/cancel", params: {} });
    expect(transport.sent).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "invalid_message" }]);
  });
});

describe("an error without an id", () => {
  const stray = { error: { code: -32000, message: "who?" } };

  it("belongs to no request", () => {
    const { connection, transport, diagnostics } = manual();
    connection.listen();
    const request = watch(connection.request("m"));
    transport.deliver(stray);
    expect(request.state()).toBe("pending");
    expect(diagnostics).toMatchObject([{ code: "unknown_response" }]);
  });

  it("belongs to the only open request, where the option says so", async () => {
    const onErrorWithoutId = vi.fn();
    const { connection, transport, diagnostics } = manual({ onErrorWithoutId });
    connection.listen();
    const requests = [watch(connection.request("a")), watch(connection.request("b"))];
    transport.deliver(stray);
    transport.deliver({ id: 1, result: 1 }, stray);
    await turn();
    expect(requests.map((request) => request.state())).toMatchObject([{ value: 1 }, { error: { message: "who?" } }]);
    expect(onErrorWithoutId).toHaveBeenCalledTimes(1);
    transport.deliver(stray);
    expect(diagnostics).toMatchObject([{ code: "unknown_response" }, { code: "unknown_response" }]);
  });

  it("is treated as a log line when it has no `jsonrpc` member", () => {
    const onErrorWithoutId = vi.fn();
    const { connection, transport, diagnostics } = manual({ onErrorWithoutId, respondToMalformed: false });
    connection.listen();
    const request = watch(connection.request("a"));
    transport.deliverValue({ level: 50, error: { code: 500, message: "the model is busy" }, msg: "retrying" });
    expect(request.state()).toBe("pending");
    expect(onErrorWithoutId).not.toHaveBeenCalled();
    expect(diagnostics).toMatchObject([{ code: "unknown_response" }]);
  });

  it("may belong to a request that rejected early: then it belongs to none, until that request got its response", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { connection, transport } = manual({ onErrorWithoutId() {} });
    connection.listen();
    const late = watch(connection.request("late", {}, { timeoutMs: 10 }));
    const open = watch(connection.request("open"));
    vi.advanceTimersByTime(10);
    vi.useRealTimers();
    transport.deliver(stray);
    await turn();
    expect([late.state(), open.state()]).toMatchObject([{ error: { code: "timeout" } }, "pending"]);
    transport.deliver({ id: 1, result: 1 }, stray);
    await turn();
    expect(open.state()).toMatchObject({ error: { message: "who?" } });
  });
});

describe("an error that the caller decodes", () => {
  it("becomes the rejection; results and other failures are not passed to it", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const readError = vi.fn((error: RpcError) => new Error(`read: ${error.message}`, { cause: error }));
    const options = { readError, decode: () => Promise.reject(new Error("not called for errors")) };
    const failed = watch(connection.request("m", {}, options));
    const fine = watch(connection.request("m", {}, { readError }));
    const cut = watch(connection.request("m", {}, { readError }));
    transport.deliver({ id: 1, error: { code: 5, message: "five" } }, { id: 2, result: "fine" });
    transport.fail(new Error("cable cut"));
    await turn();
    expect(failed.state()).toMatchObject({ error: { message: "read: five", cause: { code: 5 } } });
    expect(fine.state()).toEqual({ value: "fine" });
    expect(cut.state()).toMatchObject({ error: { name: "ConnectionError" } });
    expect(readError).toHaveBeenCalledTimes(1);
  });

  it("rejects with what decoding throws", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const cause = new Error("unreadable");
    const request = watch(
      connection.request(
        "m",
        {},
        {
          readError() {
            throw cause;
          },
        },
      ),
    );
    transport.deliver({ id: 1, error: { code: 5, message: "five" } });
    await turn();
    expect(request.state()).toEqual({ error: cause });
  });
});
