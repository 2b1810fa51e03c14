import { describe, expect, it } from "vitest";
import { turn } from "../test/settle.js";
import { linkedTransports, type Message, type TransportReceiver } from "./index.js";

function recorder() {
  const log: unknown[] = [];
  const sizes: number[] = [];
  const receiver: TransportReceiver = {
    message(value, size) {
      log.push(value);
      sizes.push(size);
    },
    malformed: () => log.push("malformed"),
    ended: () => log.push("ended"),
    failed: (error) => log.push(error),
  };
  return { log, sizes, receiver };
}

const message = (method: string, params?: unknown): Message => ({ jsonrpc: "2.0", method, params });

describe.each([true, false])("linked transports (serialize: %s)", (serialize) => {
  it("report that they were closed, or broken, before they were started", async () => {
    const [a] = linkedTransports({ serialize });
    const [b, c] = linkedTransports({ serialize });
    await a.close();
    const error = new Error("broken");
    b.break(error);
    const logs = [a, b, c].map((transport) => {
      const { log, receiver } = recorder();
      transport.start(receiver);
      return log;
    });
    expect(logs).toEqual([[], [], []]); // it is reported asynchronously, like everything else
    await turn();
    expect(logs).toEqual([[new Error("The transport was closed before it was connected")], [error], [error]]);
  });

  it("deliver in order, after `send` has returned, and nothing before `start`", async () => {
    const [a, b] = linkedTransports({ serialize });
    const { log, receiver } = recorder();
    a.send(message("1"));
    await turn();
    b.start(receiver);
    a.send(message("2"));
    expect(log).toEqual([]);
    await turn();
    expect(log).toMatchObject([{ method: "1" }, { method: "2" }]);
  });

  it("deliver what was sent before the end, then the end, once", async () => {
    const [a, b] = linkedTransports({ serialize });
    const { log, receiver } = recorder();
    b.start(receiver);
    a.send(message("1"));
    await Promise.all([a.close(), a.close()]);
    a.send(message("2"));
    b.send(message("3"));
    await turn();
    expect(log).toMatchObject([{ method: "1" }, "ended"]);
  });

  it("deliver nothing while paused, and lose no message", async () => {
    const [a, b] = linkedTransports({ serialize });
    const { log, receiver } = recorder();
    b.start({
      ...receiver,
      message(value, size) {
        receiver.message(value, size);
        b.pause();
      },
    });
    for (let i = 0; i < 3; i += 1) a.send(message(String(i)));
    await a.close();
    for (const count of [1, 2, 3]) {
      await turn();
      expect(log).toHaveLength(count);
      b.resume();
    }
    await turn();
    expect(log).toMatchObject([{ method: "0" }, { method: "1" }, { method: "2" }, "ended"]);
  });

  it("signal back-pressure from the mark until half of it is read", async () => {
    const [a, b] = linkedTransports({ serialize, highWaterMark: 4 });
    const { receiver } = recorder();
    for (let i = 0; i < 3; i += 1) a.send(message("m"));
    expect(a.full).toBeUndefined();
    a.send(message("m"));
    const { full } = a;
    expect(full).toBeInstanceOf(Promise);
    b.start(receiver);
    await full;
    expect(a.full).toBeUndefined();
  });

  it.each(["a closes", "b closes", "it breaks"])("release senders that wait for room when %s", async (how) => {
    const [a, b] = linkedTransports({ serialize, highWaterMark: 1 });
    a.send(message("m"));
    const { full } = a;
    if (how === "a closes") await a.close();
    else if (how === "b closes") await b.close();
    else a.break(new Error("cable cut"));
    await full;
    expect(a.full).toBeUndefined();
  });

  it("break at both ends with the error, and messages on their way are lost", async () => {
    const [a, b] = linkedTransports({ serialize });
    const left = recorder();
    const right = recorder();
    a.start(left.receiver);
    b.start(right.receiver);
    a.send(message("lost"));
    const error = new Error("cable cut");
    a.break(error);
    b.break(new Error("again"));
    await turn();
    expect([left.log, right.log]).toEqual([[error], [error]]);
  });

  it("deliver 200,000 messages to a reader that pauses after each", async () => {
    const [a, b] = linkedTransports({ serialize });
    const count = 200_000;
    let seen = 0;
    const done = new Promise<void>((resolve) => {
      b.start({
        ...recorder().receiver,
        message() {
          seen += 1;
          b.pause();
          if (seen === count) resolve();
          else queueMicrotask(() => b.resume());
        },
      });
    });
    const one = message("m");
    for (let i = 0; i < count; i += 1) a.send(one);
    await done;
    expect(seen).toBe(count);
  });
});

describe("serialized", () => {
  it("messages share nothing with the originals, and equal what a wire would deliver", async () => {
    const [a, b] = linkedTransports();
    const { log, sizes, receiver } = recorder();
    b.start(receiver);
    const params = { kept: [1], gone: undefined, date: new Date(0) };
    const size = a.send(message("m", params));
    params.kept.push(2);
    await turn();
    expect(log).toStrictEqual([
      { jsonrpc: "2.0", method: "m", params: { kept: [1], date: "1970-01-01T00:00:00.000Z" } },
    ]);
    expect(sizes).toEqual([size]);
  });

  it("messages that JSON can't hold throw, and are not sent", async () => {
    const [a, b] = linkedTransports();
    const { log, receiver } = recorder();
    b.start(receiver);
    expect(() => a.send(message("m", 1n))).toThrow(TypeError);
    await turn();
    expect(log).toEqual([]);
  });
});

it("by reference, messages are the very objects", async () => {
  const [a, b] = linkedTransports({ serialize: false });
  const { log, sizes, receiver } = recorder();
  b.start(receiver);
  const sent = message("m");
  expect(a.send(sent)).toBe(0);
  await turn();
  expect(log[0]).toBe(sent);
  expect(sizes).toEqual([0]);
});

describe("linked transports that serialize", () => {
  it("report a message over the limits in order, with its id", async () => {
    const [a, b] = linkedTransports({ maxMessageDepth: 10, maxMessageNodes: 50 });
    const received: unknown[] = [];
    b.start({
      message: (value) => received.push((value as { method: string }).method),
      malformed: ({ kind, excerpt }) => received.push([kind, excerpt]),
      ended() {},
      failed() {},
    });
    let deep: unknown = 1;
    for (let level = 0; level < 3_000; level += 1) deep = [deep];
    a.send(message("before"));
    a.send({ jsonrpc: "2.0", id: 1, method: "m", params: { deep } });
    a.send({ jsonrpc: "2.0", id: "two", result: new Array(51).fill(1) });
    a.send(message("deep", [deep]));
    a.send(message("after"));
    await turn();
    expect(received).toEqual([
      "before",
      ["too_large", '{"jsonrpc":"2.0","id":1,"method":"m","params":'],
      ["too_large", '{"jsonrpc":"2.0","id":"two","result":'],
      ["too_large", '{"jsonrpc":"2.0","method":"deep","params":'],
      "after",
    ]);
  });

  it("throw where the stack ends, and send nothing", async () => {
    const [a, b] = linkedTransports();
    const { log, receiver } = recorder();
    b.start(receiver);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(() => a.send(message("m", { deep }))).toThrow(TypeError);
    await turn();
    expect(log).toEqual([]);
  });
});
