import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { manual, pair } from "../test/connect.js";
import { gate, turn, watch } from "../test/settle.js";
import { type RequestContext, RpcError } from "./index.js";
import { CANCEL_REQUEST } from "./internal.js";

const cancel = (requestId: unknown) => ({ method: CANCEL_REQUEST, params: { requestId } });

describe("a request of the peer that it cancels", () => {
  it("CANCEL-16, CANCEL-18 aborts the handler's signal and responds with -32800 when the handler throws", async () => {
    const { connection, transport, diagnostics } = manual();
    connection.onRequest(
      "m",
      (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
        }),
    );
    connection.listen();
    transport.deliver({ id: 1, method: "m" }, cancel(1));
    await turn();
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32800, message: "Request cancelled" } }]);
    expect(diagnostics).toEqual([]);
  });

  it("CANCEL-18 may still get a result, or with an error of the handler's own", async () => {
    const { connection, transport } = manual();
    const go = gate();
    connection.onRequest("partial", async () => {
      await go.promise;
      return { partial: true };
    });
    connection.onRequest("own", async () => {
      await go.promise;
      throw new RpcError(9, "nine");
    });
    connection.listen();
    transport.deliver({ id: 1, method: "partial" }, { id: 2, method: "own" }, cancel(1), cancel(2));
    go.open();
    await turn();
    expect(transport.sent).toMatchObject([
      { id: 1, result: { partial: true } },
      { id: 2, error: { code: 9 } },
    ]);
  });

  it("has a signal whose reason is the cancellation, also when it is first read afterwards", async () => {
    const { connection, transport } = manual();
    const seen: RequestContext[] = [];
    connection.onRequest("m", (_, context) => {
      seen.push(context);
      return new Promise(() => {});
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    transport.deliver(cancel(1), cancel(1));
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(seen[0]?.signal.reason).toMatchObject({ name: "RpcError", code: -32800 });
  });

  it("that is still queued gets its response immediately, even when the lane is stuck, and its handler never starts", async () => {
    const { connection, transport } = manual();
    const stuck = gate();
    const handler = vi.fn();
    connection.onNotification("stuck", () => stuck.promise);
    connection.onRequest("m", handler);
    connection.listen();
    transport.deliver({ method: "stuck" }, { id: 1, method: "m" }, cancel(1));
    expect(transport.sent).toMatchObject([{ id: 1, error: { code: -32800 } }]);
    stuck.open();
    await turn();
    expect(handler).not.toHaveBeenCalled();
    expect(transport.sent).toHaveLength(1);
  });

  it("overtakes the notifications queued before it", () => {
    const { connection, transport } = manual();
    let signal: AbortSignal | undefined;
    connection.onRequest("m", (_, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    connection.onNotification("stuck", () => new Promise(() => {}));
    connection.listen();
    transport.deliver({ id: 1, method: "m" }, { method: "stuck" }, cancel(1));
    expect(signal?.aborted).toBe(true);
  });

  it.each([["1"], [2], [null], [undefined], [{}], [1.5]])(
    "CANCEL-20, CANCEL-21 is not the one with id 1 when the cancel has %j",
    (requestId) => {
      const { connection, transport } = manual();
      let signal: AbortSignal | undefined;
      connection.onRequest("m", (_, context) => {
        signal = context.signal;
        return new Promise(() => {});
      });
      connection.listen();
      transport.deliver({ id: 1, method: "m" }, cancel(requestId));
      expect(signal?.aborted).toBe(false);
      expect(transport.sent).toEqual([]);
    },
  );

  it.each([[undefined], [null], [5], ["x"], [[1]]])(
    "CANCEL-17 a cancel with the params %j changes nothing and gets no response",
    (params) => {
      const { connection, transport, diagnostics } = manual();
      connection.listen();
      transport.deliver({ method: CANCEL_REQUEST, params });
      expect([transport.sent, diagnostics]).toEqual([[], []]);
    },
  );

  it("CANCEL-20 after its response keeps that response", async () => {
    const { connection, transport } = manual();
    const contexts: RequestContext[] = [];
    connection.onRequest("m", (_, context) => {
      contexts.push(context);
      return "done";
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" }, cancel(1));
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: "done" }]);
    expect(contexts[0]?.signal.aborted).toBe(false);
  });
});

describe("a request of ours that its caller cancels", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("before it is sent rejects with the reason, untouched, and is not sent", async () => {
    const { connection, transport } = manual();
    const reason = { any: "thing" };
    const rejected = watch(connection.request("m", {}, { signal: AbortSignal.abort(reason) }));
    await turn();
    expect((rejected.state() as { error: unknown }).error).toBe(reason);
    expect(transport.sent).toEqual([]);
  });

  it.each([
    ["a result", { result: "all the same" }, { value: "all the same" }],
    [
      "-32800",
      { error: { code: -32800, message: "Request cancelled" } },
      { error: { code: -32800, name: "RpcError" } },
    ],
  ])("CANCEL-23 sends one cancel request and settles with its response: %s", async (_, answer, expected) => {
    const { connection, transport } = manual();
    const controller = new AbortController();
    connection.listen();
    const request = watch(connection.request("m", {}, { signal: controller.signal }));
    controller.abort();
    expect(transport.sent.slice(1)).toEqual([{ jsonrpc: "2.0", ...cancel(1) }]);
    await turn();
    expect(request.state()).toBe("pending");
    transport.deliver({ id: 1, ...answer });
    await turn();
    expect(request.state()).toMatchObject(expected);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("rejects with the reason when the peer doesn't respond within the grace time; the late response is reported", async () => {
    const { connection, transport, diagnostics } = manual({ cancelTimeoutMs: 700 });
    const controller = new AbortController();
    connection.listen();
    const request = watch(connection.request("m", {}, { signal: controller.signal }));
    const reason = new Error("the user left");
    controller.abort(reason);
    vi.advanceTimersByTime(699);
    await turn();
    expect(request.state()).toBe("pending");
    vi.advanceTimersByTime(1);
    await turn();
    expect(request.state()).toEqual({ error: reason });
    transport.deliver({ id: 1, result: "late" });
    expect(diagnostics).toMatchObject([{ code: "late_response", id: 1 }]);
  });

  it("after its response has arrived but waits for its turn sends no cancel request; the grace time holds", async () => {
    const { connection, transport } = manual({ cancelTimeoutMs: 700 });
    const controller = new AbortController();
    connection.onNotification("stuck", () => new Promise(() => {}));
    connection.listen();
    const request = watch(connection.request("m", {}, { signal: controller.signal }));
    transport.deliver({ method: "stuck" }, { id: 1, result: "waiting" });
    controller.abort("enough");
    expect(transport.sent).toHaveLength(1);
    vi.advanceTimersByTime(700);
    await turn();
    expect(request.state()).toEqual({ error: "enough" });
  });

  it("after it has settled does nothing, and holds no listener", async () => {
    const { connection, transport } = manual();
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, "addEventListener");
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    connection.listen();
    const request = connection.request("m", {}, { signal: controller.signal });
    transport.deliver({ id: 1, result: 1 });
    await request;
    controller.abort();
    expect(transport.sent).toHaveLength(1);
    expect(remove.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      add.mock.calls.map(([type, listener]) => [type, listener]),
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is safe when the transport refuses the cancellation", async () => {
    const { connection, transport, diagnostics } = manual({ cancelTimeoutMs: 10 });
    const controller = new AbortController();
    connection.listen();
    const request = watch(connection.request("m", {}, { signal: controller.signal }));
    transport.onSend = () => {
      throw new Error("full");
    };
    controller.abort("stop");
    vi.advanceTimersByTime(10);
    await turn();
    expect(request.state()).toEqual({ error: "stop" });
    expect(diagnostics).toMatchObject([{ code: "unserializable", method: "m" }]);
  });

  it("leaves no grace time behind when sending the cancel request finds the connection broken", async () => {
    const { connection, transport } = manual();
    const controller = new AbortController();
    connection.listen();
    const request = watch(connection.request("m", {}, { signal: controller.signal }));
    transport.onSend = () => transport.fail(new Error("cable cut"));
    controller.abort("stop");
    await turn();
    expect(request.state()).toMatchObject({ error: { code: "transport_failed" } });
    await connection.closed;
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("cancelling works both ways at once", async () => {
  const [a, b] = pair();
  for (const connection of [a, b]) {
    connection.onRequest(
      "wait",
      (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    );
    connection.listen();
  }
  const controller = new AbortController();
  const both = [a, b].map((connection) => connection.request("wait", {}, { signal: controller.signal }));
  await turn();
  controller.abort();
  for (const request of both) await expect(request).rejects.toMatchObject({ code: -32800 });
});

describe("a signal that aborts while its request is being sent", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(["a tap", "`toJSON` of the params"])("by %s cancels it", async (who) => {
    const controller = new AbortController();
    const abort = (): void => controller.abort(new Error("stop"));
    const { connection, transport } = manual({
      cancelTimeoutMs: 100,
      tap: ({ direction, message }) => {
        if (who === "a tap" && direction === "sent" && (message as { id?: unknown }).id === 1) abort();
      },
    });
    connection.listen();
    const params = {
      toJSON: () => {
        if (who !== "a tap") abort();
        return {};
      },
    };
    const request = watch(connection.request("m", params, { signal: controller.signal }));
    expect(transport.sent).toMatchObject([{ id: 1, method: "m" }, cancel(1)]);
    vi.advanceTimersByTime(100);
    await vi.advanceTimersByTimeAsync(0);
    expect(request.state()).toMatchObject({ error: { message: "stop" } });
  });

  it("and with it the connection ends leaves no timer", async () => {
    const controller = new AbortController();
    const { connection } = manual({
      tap: ({ message }) => {
        const { method } = message as { method?: string };
        if (method === "m") controller.abort(new Error("stop"));
        if (method === CANCEL_REQUEST) void connection.close();
      },
    });
    connection.listen();
    const request = watch(connection.request("m", {}, { signal: controller.signal }));
    await connection.closed;
    expect(request.state()).toMatchObject({ error: { code: "closed" } });
    expect(vi.getTimerCount()).toBe(0);
  });
});
