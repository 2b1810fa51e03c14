import { describe, expect, it } from "vitest";
import { bySession, manual, pair } from "../test/connect.js";
import { gate, turn, watch } from "../test/settle.js";

describe("handlers of one lane", () => {
  it("start in wire order, across methods and whatever order they were registered in", async () => {
    const { connection, transport } = manual();
    const log: string[] = [];
    const slow = gate();
    connection.onRequest("third", () => void log.push("third"));
    connection.onNotification("second", () => void log.push("second"));
    connection.onNotification("first", () => {
      log.push("first");
      return slow.promise;
    });
    connection.listen();
    transport.deliver({ method: "first" }, { method: "second" }, { id: 1, method: "third" });
    expect(log).toEqual(["first"]);
    slow.open();
    await turn();
    expect(log).toEqual(["first", "second", "third"]);
  });

  it("of requests don't block what comes after them", () => {
    const { connection, transport } = manual();
    const log: string[] = [];
    connection.onRequest("session/prompt", () => {
      log.push("prompt");
      return new Promise(() => {});
    });
    connection.onNotification("session/cancel", () => void log.push("cancel"));
    connection.listen();
    transport.deliver({ id: 1, method: "session/prompt" }, { method: "session/cancel" });
    expect(log).toEqual(["prompt", "cancel"]);
  });

  it("don't wait for those of other lanes", async () => {
    const { connection, transport } = manual({ orderBy: bySession });
    const log: unknown[] = [];
    connection.onNotification("session/update", (params) => {
      log.push(params);
      return new Promise(() => {});
    });
    connection.onRequest("session/list", () => "listed");
    connection.listen();
    const update = (sessionId: string) => ({ method: "session/update", params: { sessionId } });
    transport.deliver(update("a"), update("a"), update("b"), { id: 1, method: "session/list" });
    await turn();
    expect(log).toEqual([{ sessionId: "a" }, { sessionId: "b" }]);
    expect(transport.responses).toMatchObject([{ id: 1, result: "listed" }]);
  });

  it("start in the stack of the transport while the lane is free", () => {
    const { connection, transport } = manual();
    let calls = 0;
    connection.onNotification("m", () => {
      calls += 1;
    });
    connection.listen();
    transport.deliver({ method: "m" }, { method: "m" });
    expect(calls).toBe(2);
  });

  it("get what a transport delivers while it sends only after they have returned", () => {
    const { connection, transport } = manual();
    const log: string[] = [];
    connection.onNotification("a", () => {
      log.push("a starts");
      void connection.notify("x");
      log.push("a returns");
    });
    connection.onNotification("b", () => void log.push("b"));
    connection.onRequest("c", () => void log.push("c"));
    connection.listen();
    transport.onSend = (message) => {
      if ("method" in message) transport.deliver({ method: "b" }, { id: 1, method: "c" });
    };
    transport.deliver({ method: "a" });
    expect(log).toEqual(["a starts", "a returns", "b", "c"]);
  });
});

describe("a response", () => {
  it("settles its request after the handlers of everything that arrived before it", async () => {
    const { connection, transport } = manual();
    const slow = [gate(), gate()];
    let started = 0;
    connection.onNotification("session/update", () => slow[started++]?.promise);
    connection.listen();
    const prompt = watch(connection.request("session/prompt"));
    transport.deliver({ method: "session/update" }, { method: "session/update" }, { id: 1, result: "end_turn" });
    slow[0]?.open();
    await turn();
    expect([started, prompt.state()]).toEqual([2, "pending"]);
    slow[1]?.open();
    await turn();
    expect(prompt.state()).toEqual({ value: "end_turn" });
  });

  it("that is an error waits in the same way", async () => {
    const { connection, transport } = manual();
    const slow = gate();
    connection.onNotification("session/update", () => slow.promise);
    connection.listen();
    const prompt = watch(connection.request("session/prompt"));
    transport.deliver({ method: "session/update" }, { id: 1, error: { code: 5, message: "five" } });
    await turn();
    expect(prompt.state()).toBe("pending");
    slow.open();
    await turn();
    expect(prompt.state()).toMatchObject({ error: { code: 5 } });
  });

  it("does not wait for messages that arrived after it, nor for other lanes", async () => {
    const { connection, transport } = manual({ orderBy: bySession });
    connection.onNotification("session/update", () => new Promise(() => {}));
    connection.listen();
    const a = watch(connection.request("session/prompt", { sessionId: "a" }));
    const b = watch(connection.request("session/prompt", { sessionId: "b" }));
    transport.deliver(
      { method: "session/update", params: { sessionId: "a" } },
      { id: 2, result: "b" },
      { method: "session/update", params: { sessionId: "b" } },
      { id: 1, result: "a" },
    );
    await turn();
    expect(b.state()).toEqual({ value: "b" });
    expect(a.state()).toBe("pending");
  });

  it("to a request from inside a handler doesn't wait for that handler, which may be awaiting it", async () => {
    const { connection, transport } = manual();
    const log: unknown[] = [];
    connection.onNotification("sync part", async () => void log.push(await connection.request("a")));
    connection.onNotification("after await", async () => {
      await null;
      log.push(await connection.request("b"));
    });
    connection.listen();
    transport.deliver({ method: "sync part" });
    transport.deliver({ id: 1, result: "a" });
    await turn();
    transport.deliver({ method: "after await" });
    await turn();
    transport.deliver({ id: 2, result: "b" });
    await turn();
    expect(log).toEqual(["a", "b"]);
  });

  it("to such a request waits all the same with alwaysOrdered, for callers who don't await it there", async () => {
    const { connection, transport } = manual();
    const slow = gate();
    let prompt: ReturnType<typeof watch> | undefined;
    connection.onNotification("start", () => {
      prompt = watch(connection.request("session/prompt", {}, { alwaysOrdered: true }));
      return slow.promise;
    });
    connection.listen();
    transport.deliver({ method: "start" }, { id: 1, result: "end_turn" });
    await turn();
    expect(prompt?.state()).toBe("pending");
    slow.open();
    await turn();
    expect(prompt?.state()).toEqual({ value: "end_turn" });
  });

  it("to a request from the handler of a request is ordered, because that handler blocks no lane", async () => {
    const { connection, transport } = manual();
    const slow = gate();
    let read: ReturnType<typeof watch> | undefined;
    connection.onNotification("session/update", () => slow.promise);
    connection.onRequest("session/prompt", () => {
      read = watch(connection.request("fs/read_text_file"));
      return new Promise(() => {});
    });
    connection.listen();
    transport.deliver({ id: 1, method: "session/prompt" }, { method: "session/update" }, { id: 1, result: "text" });
    await turn();
    expect(read?.state()).toBe("pending");
    slow.open();
    await turn();
    expect(read?.state()).toEqual({ value: "text" });
  });
});

it.each([true, false])(
  "1,000 turns: no update handler finishes after the result is delivered (serialize: %s)",
  async (serialize) => {
    const [client, agent] = pair({ orderBy: bySession, serialize });
    let running = 0;
    client.onNotification("session/update", async (params) => {
      running += 1;
      for (let i = 0; i < (params as { awaits: number }).awaits; i += 1) await null;
      running -= 1;
    });
    agent.onRequest("session/prompt", (params) => {
      const { sessionId, turn } = params as { sessionId: string; turn: number };
      for (let i = 0; i < 5; i += 1)
        void agent.notify("session/update", { sessionId, awaits: (turn * 7 + i * 3) % 11 });
      return { stopReason: "end_turn" };
    });
    client.listen();
    agent.listen();
    for (let turn = 0; turn < 1_000; turn += 1) {
      await client.request("session/prompt", { sessionId: "s", turn });
      expect(running).toBe(0);
    }
  },
);
