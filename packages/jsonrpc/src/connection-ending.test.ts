import { afterEach, describe, expect, it, vi } from "vitest";
import { bySession, manual, pair } from "../test/connect.js";
import { gate, turn, watch } from "../test/settle.js";
import { Connection, linkedTransports } from "./index.js";

afterEach(() => void vi.useRealTimers());

const stuck = (): Promise<never> => new Promise(() => {});

describe("when the connection ends, every pending request rejects once, with the one reason as cause", () => {
  it("because the transport broke", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const error = new Error("cable cut");
    const requests = [connection.request("a"), connection.request("b")];
    transport.fail(error);
    for (const [index, request] of requests.entries()) {
      const method = ["a", "b"][index];
      await expect(request).rejects.toMatchObject({
        name: "ConnectionError",
        code: "transport_failed",
        method,
        cause: error,
      });
    }
    expect(await connection.closed).toMatchObject({ code: "transport_failed", cause: error });
  });

  it("because the peer closed", async () => {
    const { connection, transport } = manual();
    connection.listen();
    const request = connection.request("a");
    transport.end();
    const reason = await connection.closed;
    expect(reason).toMatchObject({ code: "peer_closed" });
    await expect(request).rejects.toMatchObject({
      code: "peer_closed",
      message: "a: the peer closed the connection",
      cause: reason,
    });
  });

  it("because we closed, with the reason that was given", async () => {
    const { connection } = manual();
    connection.listen();
    const request = connection.request("a");
    const why = new Error("the window was closed");
    await connection.close({ reason: why });
    await expect(request).rejects.toMatchObject({ code: "closed", cause: why });
    expect(await connection.closed).toMatchObject({ code: "closed", cause: why });
  });

  it("each with an error of its own, whose stack shows the caller", async () => {
    const { connection } = manual();
    const [a, b] = [connection.request("a"), connection.request("b")].map((request) =>
      request.catch((error: unknown) => error),
    );
    await connection.close();
    expect(await a).not.toBe(await b);
  });

  it("and later requests reject in the same way, without being sent", async () => {
    const { connection, transport } = manual();
    connection.listen();
    transport.fail(new Error("cable cut"));
    await expect(connection.request("a")).rejects.toMatchObject({
      code: "transport_failed",
      cause: { message: "cable cut" },
    });
    await connection.closed;
    expect(connection.notify("b")).toBeUndefined();
    expect(transport.sent).toEqual([]);
  });

  it.each([
    ["the peer closes, then the transport breaks", "peer_closed"],
    ["the transport breaks, then we close", "transport_failed"],
    ["we close, then the transport breaks", "closed"],
  ])("and the first reason wins: %s", async (_, code) => {
    const { connection, transport } = manual();
    connection.listen();
    if (code === "peer_closed") {
      transport.end();
      transport.fail(new Error("second"));
    } else if (code === "transport_failed") {
      transport.fail(new Error("first"));
      void connection.close();
    } else {
      void connection.close();
      transport.fail(new Error("second"));
    }
    expect(await connection.closed).toMatchObject({ code });
  });
});

describe("close", () => {
  it("twice is close once, and `await using` is enough", async () => {
    const { connection, transport } = manual();
    {
      await using _ = connection;
      connection.listen();
      await Promise.all([connection.close(), connection.close()]);
    }
    expect(transport.closes).toBe(1);
    expect(connection.state).toBe("closed");
  });

  it("aborts every handler's signal before `closed` resolves, in lanes and outside", async () => {
    const { connection, transport } = manual();
    const signals: AbortSignal[] = [];
    connection.onRequest("m", (_, { signal }) => {
      signals.push(signal);
      return stuck();
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" }, { id: 2, method: "m" });
    const aborted = connection.closed.then(() => signals.map(({ aborted }) => aborted));
    await connection.close();
    expect(await aborted).toEqual([true, true]);
    expect(signals[0]?.reason).toMatchObject({ name: "ConnectionError", code: "closed" });
  });

  it("flushes queued messages first", async () => {
    const [a, b] = pair();
    const seen: unknown[] = [];
    b.onNotification("m", (params) => void seen.push(params));
    a.listen();
    b.listen();
    for (let i = 0; i < 100; i += 1) void a.notify("m", { i });
    await a.close();
    await b.closed;
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => ({ i })));
  });

  it("with drainTimeoutMs lets handlers respond, refuses new requests, and rejects our own immediately", async () => {
    const { connection, transport } = manual();
    const go = gate();
    connection.onRequest("m", async () => {
      await go.promise;
      return "in time";
    });
    connection.listen();
    const own = watch(connection.request("own"));
    transport.deliver({ id: 1, method: "m" });
    const closing = connection.close({ drainTimeoutMs: 60_000 });
    transport.deliver({ id: 2, method: "m" });
    expect(connection.state).toBe("ending");
    await turn();
    expect(own.state()).toMatchObject({ error: { code: "closed" } });
    expect(transport.responses).toMatchObject([
      { id: 2, error: { code: -32800, message: "The connection is being closed" } },
    ]);
    go.open();
    await closing;
    expect(transport.responses.at(-1)).toMatchObject({ id: 1, result: "in time" });
  });

  it("with respondWhileClosing: false gives new requests no response, so that their sender can repeat them elsewhere", async () => {
    const { connection, transport } = manual({ respondWhileClosing: false });
    const go = gate();
    connection.onRequest("m", () => go.promise);
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    const closing = connection.close({ drainTimeoutMs: 60_000 });
    transport.deliver({ id: 2, method: "m" });
    go.open();
    await closing;
    expect(transport.responses).toMatchObject([{ id: 1, result: null }]);
  });

  it("with respondWhileClosing: false gives requests that wait for an earlier message no response", async () => {
    const { connection, transport } = manual({ respondWhileClosing: false, orderBy: () => "lane" });
    const go = gate();
    const started: unknown[] = [];
    connection.onNotification("slow", () => go.promise);
    connection.onRequest("m", () => void started.push("m"));
    connection.listen();
    transport.deliver({ method: "slow" });
    transport.deliver({ id: 1, method: "m" });
    const closing = connection.close({ drainTimeoutMs: 60_000 });
    go.open();
    await closing;
    expect(transport.responses).toEqual([]);
    expect(started).toEqual([]);
  });

  it("CANCEL-22 with drainTimeoutMs responds with -32800 when a handler throws because of it", async () => {
    const { connection, transport, diagnostics } = manual();
    connection.onRequest(
      "m",
      (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    await connection.close({ drainTimeoutMs: 60_000 });
    expect(transport.responses).toMatchObject([{ id: 1, error: { code: -32800 } }]);
    expect(diagnostics).toEqual([]);
  });

  it("with drainTimeoutMs responds with -32800 to requests that have not started", async () => {
    const { connection, transport } = manual();
    const handler = vi.fn();
    connection.onNotification("stuck", stuck);
    connection.onRequest("m", handler);
    connection.listen();
    transport.deliver({ method: "stuck" }, { id: 1, method: "m" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const closing = connection.close({ drainTimeoutMs: 1_000 });
    vi.advanceTimersByTime(1_000);
    await closing;
    expect(transport.responses).toMatchObject([{ id: 1, error: { code: -32800 } }]);
    expect(handler).not.toHaveBeenCalled();
  });

  it("with drainTimeoutMs waits no longer than that, and a second close without it ends the wait", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const patient = manual();
    patient.connection.onRequest("m", stuck);
    patient.connection.listen();
    patient.transport.deliver({ id: 1, method: "m" });
    const closing = patient.connection.close({ drainTimeoutMs: 1_000 });
    vi.advanceTimersByTime(999);
    expect(patient.connection.state).toBe("ending");
    vi.advanceTimersByTime(1);
    await closing;

    const hasty = manual();
    hasty.connection.onRequest("m", stuck);
    hasty.connection.listen();
    hasty.transport.deliver({ id: 1, method: "m" });
    const first = hasty.connection.close({ drainTimeoutMs: 1_000_000 });
    await hasty.connection.close();
    await first;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("from inside a handler, and before anything was delivered, resolves", async () => {
    const { connection, transport } = manual();
    const closed = gate();
    connection.onNotification("bye", async () => {
      await connection.close();
      closed.open();
    });
    connection.listen();
    transport.deliver({ method: "bye" });
    await closed.promise;

    const unstarted = manual();
    await unstarted.connection.close();
    unstarted.connection.listen();
    expect((await unstarted.connection.closed).code).toBe("closed");
  });

  it("starts no further handler, and reports how many messages were left", async () => {
    const { connection, transport, diagnostics } = manual();
    const first = gate();
    const handler = vi.fn();
    connection.onNotification("first", () => first.promise);
    connection.onNotification("m", handler);
    connection.listen();
    transport.deliver({ method: "first" }, { method: "m" }, { method: "m" });
    await connection.close();
    first.open();
    transport.deliver({ method: "m" });
    transport.deliverMalformed();
    await turn();
    expect(handler).not.toHaveBeenCalled();
    expect(diagnostics).toMatchObject([{ code: "backlog_dropped", message: expect.stringMatching(/^2 /) }]);
  });

  it("ignores the result of a handler that finishes later", async () => {
    const { connection, transport } = manual();
    const late = [gate<string>(), gate<string>()];
    connection.onRequest("m", (params) => late[(params as number[])[0] ?? 0]?.promise);
    connection.listen();
    transport.deliver({ id: 1, method: "m", params: [0] }, { id: 2, method: "m", params: [1] });
    await connection.close();
    late[0]?.open("late");
    late[1]?.break(new Error("late"));
    await turn();
    expect(transport.sent).toEqual([]);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("no"))],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
  ])("resolves when the transport's close %s; that is a diagnostic", async (_, closing) => {
    const { connection, transport, diagnostics } = manual();
    transport.closing = closing;
    connection.listen();
    await connection.close();
    expect(diagnostics).toMatchObject([{ code: "close_failed", cause: { message: "no" } }]);
  });

  it("resolves after closeTimeoutMs when the transport can't write its queue", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { connection, transport, diagnostics } = manual({ closeTimeoutMs: 500 });
    transport.closing = stuck;
    const closing = watch(connection.close());
    vi.advanceTimersByTime(499);
    await turn();
    expect(closing.state()).toBe("pending");
    vi.advanceTimersByTime(1);
    await turn();
    expect(closing.state()).toEqual({ value: undefined });
    expect(diagnostics).toMatchObject([
      { code: "close_failed", cause: { message: expect.stringContaining("500 ms") } },
    ]);
  });
});

describe("when the peer has ended its output", () => {
  it("requests that had arrived still get responses", async () => {
    const { connection, transport } = manual();
    const go = gate();
    connection.onRequest("m", async () => {
      await go.promise;
      return "answered";
    });
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    transport.end();
    await turn();
    expect([connection.state, transport.closes]).toEqual(["ending", 0]);
    go.open();
    await connection.closed;
    expect(transport.sent).toEqual([{ jsonrpc: "2.0", id: 1, result: "answered" }]);
  });

  it("queued messages are handled, and a response among them settles its request in order", async () => {
    const { connection, transport } = manual();
    const log: string[] = [];
    const slow = gate();
    connection.onNotification("slow", () => slow.promise);
    connection.onNotification("m", () => void log.push("m"));
    connection.onRequest("r", () => void log.push("r"));
    connection.listen();
    const prompt = connection.request("prompt").then((result) => log.push(`prompt: ${result}`));
    const lost = watch(connection.request("lost"));
    transport.deliver({ method: "slow" }, { method: "m" }, { id: 1, result: "end_turn" }, { id: 7, method: "r" });
    transport.end();
    await turn();
    expect(lost.state()).toMatchObject({ error: { code: "peer_closed" } });
    expect(log).toEqual([]);
    slow.open();
    await connection.closed;
    await prompt;
    expect(log).toEqual(["m", "r", "prompt: end_turn"]);
    expect(transport.responses).toMatchObject([{ id: 7, result: null }]);
  });

  it("an alwaysOrdered request rejects after the queued messages of its lane; requests of other lanes reject at once", async () => {
    const { connection, transport } = manual({ orderBy: bySession });
    const log: string[] = [];
    const slow = gate();
    connection.onNotification("slow", () => slow.promise);
    connection.onNotification("m", () => void log.push("m"));
    connection.listen();
    const failed = (name: string) => (error: unknown) => void log.push(`${name}: ${(error as { code: string }).code}`);
    const ordered = [
      connection.request("prompt", { sessionId: "s" }, { alwaysOrdered: true }).catch(failed("prompt of s")),
      connection.request("prompt", { sessionId: "t" }, { alwaysOrdered: true }).catch(failed("prompt of t")),
    ];
    const params = { sessionId: "s" };
    transport.deliver({ method: "slow", params }, { method: "m", params }, { method: "m", params });
    transport.end();
    await turn();
    expect(log).toEqual(["prompt of t: peer_closed"]);
    slow.open();
    await connection.closed;
    await Promise.all(ordered);
    expect(log).toEqual(["prompt of t: peer_closed", "m", "m", "prompt of s: peer_closed"]);
  });

  it("an alwaysOrdered request rejects after drainTimeoutMs at the latest", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { connection, transport } = manual({ drainTimeoutMs: 400 });
    connection.onNotification("stuck", stuck);
    connection.listen();
    const prompt = watch(connection.request("prompt", {}, { alwaysOrdered: true }));
    transport.deliver({ method: "stuck" });
    transport.end();
    await turn();
    expect(prompt.state()).toBe("pending");
    vi.advanceTimersByTime(400);
    await connection.closed;
    expect(prompt.state()).toMatchObject({ error: { code: "peer_closed" } });
  });

  it("handlers have drainTimeoutMs; then queued messages are dropped", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { connection, transport } = manual({ drainTimeoutMs: 400 });
    let signal: AbortSignal | undefined;
    connection.onNotification("stuck", stuck);
    connection.onRequest("m", (_, context) => {
      signal = context.signal;
      return stuck();
    });
    connection.listen();
    const answered = watch(connection.request("answered"));
    transport.deliver({ id: 1, method: "m" }, { method: "stuck" }, { id: 1, result: "waiting" });
    transport.end();
    await turn();
    expect(answered.state()).toBe("pending");
    vi.advanceTimersByTime(400);
    expect((await connection.closed).code).toBe("peer_closed");
    expect(signal?.reason).toMatchObject({ code: "peer_closed" });
    expect(answered.state()).toMatchObject({ error: { code: "peer_closed" } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("onPeerEnded is called once, when our requests are settled; it may close, throw or reject", async () => {
    for (const hook of [
      () => {},
      () => {
        throw new Error("no");
      },
      () => Promise.reject(new Error("no")),
    ]) {
      let calls = 0;
      const { connection, transport, diagnostics } = manual({
        onPeerEnded: () => {
          calls += 1;
          expect(connection.state).toBe("ending");
          void connection.close();
          return hook() as undefined;
        },
      });
      connection.listen();
      transport.end();
      transport.end();
      await connection.closed;
      await turn();
      expect(calls).toBe(1);
      expect(diagnostics.map(({ code }) => code)).toEqual(
        hook.length === 0 && String(hook).includes("no") ? ["hook_failed"] : [],
      );
    }
  });
});

describe("when the transport has failed", () => {
  it("messages that had arrived are handled, their responses settle requests, and nothing more is sent", async () => {
    const { connection, transport } = manual();
    const slow = gate();
    let signal: AbortSignal | undefined;
    connection.onRequest("open", (_, context) => {
      signal = context.signal;
      return stuck();
    });
    connection.onNotification("slow", () => slow.promise);
    connection.listen();
    const prompt = connection.request("prompt");
    transport.deliver({ id: 5, method: "open" }, { method: "slow" }, { id: 1, result: "end_turn" });
    const { length } = transport.sent;
    transport.fail(new Error("EPIPE"));
    expect(signal?.aborted).toBe(true);
    void connection.notify("x");
    slow.open();
    expect(await prompt).toBe("end_turn");
    await connection.closed;
    expect(transport.sent).toHaveLength(length);
  });

  it("does not wait for handlers of requests: no response can be sent", async () => {
    const { connection, transport } = manual();
    connection.onRequest("m", stuck);
    connection.listen();
    transport.deliver({ id: 1, method: "m" });
    transport.end();
    transport.fail(new Error("EPIPE"));
    expect((await connection.closed).code).toBe("peer_closed");
  });

  it("already while starting, ends the connection", async () => {
    const { connection, transport } = manual();
    transport.start = () => {
      throw new Error("no such device");
    };
    connection.listen();
    expect(await connection.closed).toMatchObject({ code: "transport_failed", cause: { message: "no such device" } });
  });

  it.each(["a string", undefined, null, { code: "EPIPE" }])(
    "with %j is reported as any other failure",
    async (error) => {
      const { connection, transport } = manual();
      connection.listen();
      const request = connection.request("a");
      transport.fail(error);
      await expect(request).rejects.toMatchObject({ code: "transport_failed" });
    },
  );
});

it("listening twice is a mistake of the caller", () => {
  const { connection } = manual();
  connection.listen();
  expect(() => connection.listen()).toThrow(TypeError);
});

it("the end of one side is the end of the other, at every point of a dialogue", async () => {
  for (let point = 0; point < 12; point += 1) {
    for (const how of ["close", "break"] as const) {
      const [left, right] = linkedTransports();
      const client = new Connection(left, { orderBy: bySession });
      const agent = new Connection(right, { orderBy: bySession });
      let steps = 0;
      const step = (): void => {
        steps += 1;
        if (steps !== point) return;
        if (how === "break") left.break(new Error("cable cut"));
        else void agent.close();
      };
      client.onNotification("session/update", async () => {
        step();
        await null;
        step();
      });
      client.onRequest("session/request_permission", async () => {
        step();
        await null;
        step();
        return "allow";
      });
      agent.onRequest("session/prompt", async () => {
        step();
        for (let i = 0; i < 3; i += 1) void agent.notify("session/update", { sessionId: "s" });
        step();
        const permission = await agent.request("session/request_permission", { sessionId: "s" });
        step();
        return permission;
      });
      client.listen();
      agent.listen();
      const prompt = client.request("session/prompt", { sessionId: "s" });
      const outcome = await prompt.then(
        (value) => value,
        (error: { name: string; code: string }) => error,
      );
      if (outcome !== "allow")
        expect(outcome).toMatchObject({
          name: "ConnectionError",
          code: expect.stringMatching(/^(peer_closed|transport_failed)$/),
        });
      await client.close();
      await agent.close();
      await Promise.all([client.closed, agent.closed]);
    }
  }
});
