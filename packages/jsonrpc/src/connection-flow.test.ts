import { describe, expect, it } from "vitest";
import { bySession, manual } from "../test/connect.js";
import { type Gate, gate, turn, watch } from "../test/settle.js";
import { backlogOf } from "./connection.js";
import { Connection, linkedTransports } from "./index.js";

// A message of 488 bytes counts 1,000 with its overhead.
const size = 488;
const limits = { maxBacklogBytes: 10_000, orderBy: bySession };

function setUp(options = {}) {
  const it = manual({ ...limits, ...options });
  const gates: Gate[] = [];
  let handled = 0;
  it.connection.onNotification("session/update", () => {
    handled += 1;
    const slow = gate();
    gates.push(slow);
    return slow.promise;
  });
  it.connection.listen();
  const flood = (count: number, sessionId = "s"): void => {
    for (let i = 0; i < count; i += 1) {
      it.transport.deliverValue({ jsonrpc: "2.0", method: "session/update", params: { sessionId } }, size);
    }
  };
  /** Lets handlers finish, one after another. */
  const finish = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) {
      gates.shift()?.open();
      await turn();
    }
  };
  return { ...it, flood, finish, handled: () => handled };
}

describe("slow handlers", () => {
  it("pause reading above the mark and resume it when they have caught up; no message is lost", async () => {
    const { transport, flood, finish, handled } = setUp();
    flood(11);
    expect(transport.reading).toEqual([]); // one is being handled, ten are queued
    flood(1);
    expect(transport.reading).toEqual(["pause"]);
    await finish(6);
    expect(transport.reading).toEqual(["pause", "resume"]);
    flood(3);
    await finish(9);
    expect(handled()).toBe(15);
  });

  it("stay paused while the prompt's response would have to wait for them anyway", () => {
    const { connection, transport, flood } = setUp();
    void connection.request("session/prompt", { sessionId: "s" }, { alwaysOrdered: true });
    flood(12);
    expect(transport.paused).toBe(true);
  });

  it("don't block a response from a handler that awaits it over the same connection", async () => {
    const { connection, transport, flood } = setUp();
    const log: string[] = [];
    connection.onNotification("ask", async () => {
      await null; // so that it is above the mark before it sends the request
      log.push(String(await connection.request("session/set_mode", { sessionId: "s" })));
    });
    transport.deliver({ method: "ask", params: { sessionId: "s" } });
    flood(12);
    expect(transport.paused).toBe(true);
    await turn();
    expect(transport.paused).toBe(false);
    transport.deliver({ id: transport.lastId("session/set_mode"), result: "ok" });
    await turn();
    expect(log).toEqual(["ok"]);
  });

  it("end the connection at the hard limit, if a request waits for its response; queued messages are still handled", async () => {
    const { connection, transport, diagnostics, flood, finish, handled } = setUp();
    const list = watch(connection.request("session/list", {}));
    flood(61);
    expect(transport.reading).toEqual([]);
    flood(1);
    expect(transport.paused).toBe(true);
    await turn();
    expect(list.state()).toMatchObject({
      error: { name: "ConnectionError", code: "backlog_full", method: "session/list", cause: { code: "backlog_full" } },
    });
    expect(connection.state).toBe("ending");
    await finish(62);
    expect(await connection.closed).toMatchObject({
      code: "backlog_full",
      message: expect.stringContaining("maxBacklogBytes is 10000"),
    });
    expect(handled()).toBe(62);
    expect(diagnostics).toEqual([]);
  });

  it("of one session don't hold up the prompt of another", async () => {
    const { connection, transport, flood } = setUp();
    const a = watch(connection.request("session/prompt", { sessionId: "a" }, { alwaysOrdered: true }));
    const b = watch(connection.request("session/prompt", { sessionId: "b" }, { alwaysOrdered: true }));
    flood(40, "a");
    expect(transport.paused).toBe(false);
    transport.deliver({ id: 2, result: "b" }, { id: 1, result: "a" });
    await turn();
    expect([a.state(), b.state()]).toEqual(["pending", { value: "b" }]);
    flood(5, "a");
    expect(transport.paused).toBe(true); // no caller waits any more
  });

  it("of one session hold up the prompt of another only until its lane is free", async () => {
    const { connection, transport, flood, finish } = setUp();
    flood(2, "b");
    void connection.request("session/prompt", { sessionId: "b" }, { alwaysOrdered: true });
    flood(12, "a");
    expect(transport.paused).toBe(true); // the response has to wait for the handler of its own lane
    await finish(1);
    expect(transport.reading).toEqual(["pause", "resume"]);
  });

  it("hold up the response to an ordered request only until its lane is free", async () => {
    const { connection, transport, flood, finish } = setUp();
    const mode = watch(connection.request("session/set_mode", { sessionId: "b" }));
    flood(1, "b");
    flood(12, "a");
    expect(transport.paused).toBe(true);
    await finish(1);
    expect(transport.paused).toBe(false);
    transport.deliver({ id: 1, result: "ok" });
    await turn();
    expect(mode.state()).toEqual({ value: "ok" });
  });

  it("read on again when a request begins to need it, and pause again when it gets its response", async () => {
    const { connection, transport, flood } = setUp();
    flood(12);
    const list = connection.request("session/list", {});
    expect(transport.reading).toEqual(["pause", "resume"]);
    transport.deliver({ id: 1, result: [] });
    await list;
    flood(2);
    expect(transport.reading).toEqual(["pause", "resume", "pause"]);
  });
});

describe("the backlog of a consumer that queues what was delivered", () => {
  it("pauses reading, also while its prompt runs, and resumes it", () => {
    const { connection, transport } = setUp();
    void connection.request("session/prompt", { sessionId: "s" }, { alwaysOrdered: true });
    for (let i = 0; i < 11; i += 1) backlogOf(connection).add("s", size);
    expect(transport.paused).toBe(true);
    for (let i = 0; i < 6; i += 1) backlogOf(connection).remove("s", size);
    expect(transport.paused).toBe(false);
  });

  it("does not block an ordered response, which that consumer may be awaiting", async () => {
    const { connection, transport } = setUp();
    void connection.request("session/prompt", { sessionId: "s" }, { alwaysOrdered: true });
    for (let i = 0; i < 11; i += 1) backlogOf(connection).add("s", size);
    const mode = connection.request("session/set_mode", { sessionId: "s" });
    expect(transport.paused).toBe(false);
    transport.deliver({ id: 2, result: "ok" });
    expect(await mode).toBe("ok");
  });

  it("counts together with the messages that wait for handlers", () => {
    const { connection, transport, flood } = setUp();
    for (let i = 0; i < 6; i += 1) backlogOf(connection).add("a", size);
    flood(6, "b");
    expect(transport.paused).toBe(true);
  });
});

it.each([true, false])(
  "a stalled consumer with a prompt pending gets everything once it goes on (serialize: %s)",
  async (serialize) => {
    const [left, right] = linkedTransports({ serialize, highWaterMark: 16 });
    const client = new Connection(left, limits);
    const agent = new Connection(right, { orderBy: bySession });
    const count = 2_000;
    const seen: number[] = [];
    const stalled = gate();
    client.onNotification("session/update", (params) => {
      seen.push((params as { i: number }).i);
      return seen.length === 1 ? stalled.promise : undefined;
    });
    let sent = 0;
    agent.onRequest("session/prompt", async () => {
      for (let i = 0; i < count; i += 1) {
        const full = agent.notify("session/update", { sessionId: "s", i });
        sent += 1;
        if (full !== undefined) await full;
      }
      return "end_turn";
    });
    client.listen();
    agent.listen();
    const prompt = client.request("session/prompt", { sessionId: "s" }, { alwaysOrdered: true });
    await turn();
    expect(seen).toHaveLength(1);
    expect(sent).toBeLessThan(count / 10); // the sender sees `full`: back-pressure goes all the way
    stalled.open();
    expect(await prompt).toBe("end_turn");
    expect(seen).toEqual(Array.from({ length: count }, (_, i) => i));
    await client.close();
  },
);

it("two peers whose handlers wait for each other to read continue, because neither stops reading", async () => {
  const [left, right] = linkedTransports({ highWaterMark: 4 });
  const peers = [left, right].map((transport) => new Connection(transport, { maxBacklogBytes: 80_000 }));
  const count = 300;
  let last = 0;
  const done = gate();
  for (const peer of peers) {
    peer.onNotification("ball", async (params) => {
      const { bounces } = params as { bounces: number };
      if (bounces > 0) await peer.notify("ball", { bounces: bounces - 1 });
      else last += 1;
      if (last === 2 * count) done.open();
    });
    peer.listen();
  }
  for (let i = 0; i < count; i += 1) for (const peer of peers) void peer.notify("ball", { bounces: 20 });
  await done.promise;
  expect(last).toBe(2 * count);
});

it("`notify` signals when there is no room, and when there is again", async () => {
  const { connection, transport } = setUp();
  expect(connection.notify("m")).toBeUndefined();
  const room = gate();
  transport.full = room.promise;
  const waiting = watch(Promise.resolve(connection.notify("m")));
  await turn();
  expect(waiting.state()).toBe("pending");
  room.open();
  await turn();
  expect(waiting.state()).toEqual({ value: undefined });
});
