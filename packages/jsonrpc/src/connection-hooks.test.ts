import { describe, expect, it } from "vitest";
import { manual } from "../test/connect.js";
import { turn } from "../test/settle.js";
import type { TapEvent } from "./index.js";

describe("a tap", () => {
  it("sees every message both ways, in order, with its time and size, before it is validated", () => {
    const events: TapEvent[] = [];
    const { connection, transport } = manual({ tap: (event) => events.push(event) });
    connection.onRequest("m", () => 1);
    connection.listen();
    void connection.notify("n");
    transport.deliverValue({ jsonrpc: "2.0", id: 1, method: "m" }, 111);
    transport.deliverValue(42, 2);
    transport.deliverMalformed({ excerpt: "Welcome!", size: 9_000 });
    expect(events.map(({ direction, message, size, malformed }) => [direction, message, size, malformed])).toEqual([
      ["sent", { jsonrpc: "2.0", method: "n" }, 30, undefined],
      ["received", { jsonrpc: "2.0", id: 1, method: "m" }, 111, undefined],
      ["sent", { jsonrpc: "2.0", id: 1, result: 1 }, 35, undefined],
      ["received", 42, 2, undefined],
      ["sent", expect.objectContaining({ error: expect.anything() }), expect.any(Number), undefined],
      ["received", "Welcome!", 9_000, true],
      ["sent", expect.objectContaining({ error: expect.anything() }), expect.any(Number), undefined],
    ]);
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("sees late and unknown responses, which no handler sees", () => {
    const received: unknown[] = [];
    const { connection, transport } = manual();
    connection.tap(({ message }) => received.push(message));
    connection.listen();
    transport.deliver({ id: "ghost", result: 1 });
    expect(received).toHaveLength(1);
  });

  it("can be removed, also by itself, and the others miss no message", () => {
    const log: string[] = [];
    const { connection, transport } = manual({ tap: () => log.push("first") });
    const remove = connection.tap(() => {
      log.push("once");
      remove();
    });
    connection.tap(() => log.push("last"));
    connection.listen();
    transport.deliver({ method: "a" }, { method: "b" });
    remove();
    expect(log).toEqual(["first", "once", "last", "first", "last"]);
  });

  it("is not called for messages that could not be sent", () => {
    const events: unknown[] = [];
    const { connection } = manual({ tap: (event) => events.push(event) });
    expect(() => connection.notify("m", { n: 1n })).toThrow(TypeError);
    expect(events).toEqual([]);
  });
});

describe("failing hooks change nothing", () => {
  const fail = (): never => {
    throw new Error("hook");
  };

  it.each([
    ["throw", fail],
    ["reject", async () => fail()],
  ])("taps and diagnostic listeners that %s", async (_, hook) => {
    const { connection, transport } = manual({ tap: hook as () => void, onDiagnostic: hook as () => void });
    connection.onRequest("m", () => 1);
    connection.listen();
    transport.deliver({ id: 1, method: "m" }, { method: "unknown" });
    transport.deliverValue(42);
    await turn();
    expect(transport.sent).toMatchObject([{ id: 1, result: 1 }, { id: null }]);
  });

  it("orderBy that throws leaves the message without a lane", async () => {
    const { connection, transport, diagnostics } = manual({
      orderBy: (_, params) => (params as { sessionId: string }).sessionId,
    });
    connection.onRequest("m", () => 1);
    connection.onNotification("n", () => {});
    connection.listen();
    const request = connection.request("x");
    transport.deliver({ id: 1, method: "m" }, { method: "n" }, { id: 1, result: "x" });
    expect(await request).toBe("x");
    expect(transport.responses).toMatchObject([{ id: 1, result: 1 }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["hook_failed", "hook_failed", "hook_failed"]);
  });

  it("fallbacks that throw fail that message alone", async () => {
    const { connection, transport, diagnostics } = manual({ fallback: { request: fail, notification: fail } });
    connection.onRequest("m", () => 1);
    connection.listen();
    transport.deliver({ id: 1, method: "x" }, { method: "y" }, { id: 2, method: "m" });
    expect(transport.sent).toMatchObject([
      { id: 1, error: { code: -32603 } },
      { id: 2, result: 1 },
    ]);
    expect(diagnostics).toMatchObject([
      { code: "handler_failed", method: "x" },
      { code: "handler_failed", method: "y" },
    ]);
  });
});

it("a promise of ours is never an unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    const { connection, transport } = manual();
    connection.onRequest("m", async () => {
      throw new Error("m");
    });
    connection.onNotification("n", async () => {
      throw new Error("n");
    });
    connection.listen();
    void connection.request("a");
    void connection.request("b", { n: 1n });
    void connection.request("c", {}, { signal: AbortSignal.abort() });
    void connection.request(
      "d",
      {},
      {
        decode: () => {
          throw new Error("decode");
        },
      },
    );
    transport.deliver({ id: 1, method: "m" }, { method: "n" }, { id: 4, result: 1 });
    transport.closing = () => Promise.reject(new Error("close"));
    await turn();
    transport.fail(new Error("cable cut"));
    void connection.request("e");
    await connection.closed;
    await turn();
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
