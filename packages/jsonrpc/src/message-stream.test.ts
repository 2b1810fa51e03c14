import { describe, expect, it } from "vitest";
import { ManualTransport } from "../test/manual-transport.js";
import { gate, turn, watch } from "../test/settle.js";
import {
  Connection,
  fromMessageStream,
  linkedTransports,
  type Message,
  type MessageStream,
  toMessageStream,
} from "./index.js";

/** Two streams, each the other's peer. */
function streams(highWaterMark = 1): [MessageStream, MessageStream] {
  const there = new TransformStream<unknown, unknown>({}, { highWaterMark });
  const back = new TransformStream<unknown, unknown>({}, { highWaterMark });
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

/** A stream whose ends the test controls. */
function manualStream() {
  const written: unknown[] = [];
  const log: string[] = [];
  let input: ReadableStreamDefaultController<unknown> | undefined;
  let output: WritableStreamDefaultController | undefined;
  let sink = (): Promise<void> | void => {};
  const stream: MessageStream = {
    readable: new ReadableStream<unknown>({
      start(controller) {
        input = controller;
      },
      cancel: (reason) => void log.push(`readable cancelled: ${reason}`),
    }),
    writable: new WritableStream<unknown>({
      start(controller) {
        output = controller;
      },
      write(message) {
        written.push(message);
        return sink();
      },
      close: () => void log.push("writable closed"),
      abort: (reason) => void log.push(`writable aborted: ${reason}`),
    }),
  };
  return {
    stream,
    written,
    log,
    enqueue: (value: unknown) => input?.enqueue(value),
    endInput: () => input?.close(),
    failInput: (error: unknown) => input?.error(error),
    failOutput: (error: unknown) => output?.error(error),
    setSink(next: typeof sink) {
      sink = next;
    },
  };
}

const notification = (method: string): Message => ({ jsonrpc: "2.0", method });

describe("a connection over a message stream", () => {
  it("delivers each message with its size as JSON, so that flow control has something to count", async () => {
    const { stream, enqueue, endInput } = manualStream();
    const transport = fromMessageStream(stream);
    const messages = [{ jsonrpc: "2.0", method: "m", params: { text: "x".repeat(1_000) } }, { odd: 1n }];
    const received: { value: unknown; size: number }[] = [];
    await new Promise<void>((resolve) => {
      transport.start({
        message: (value, size) => void received.push({ value, size }),
        malformed() {},
        ended: resolve,
        failed: resolve,
      });
      for (const message of messages) enqueue(message);
      endInput();
    });
    expect(received).toEqual([
      { value: messages[0], size: JSON.stringify(messages[0]).length },
      { value: messages[1], size: 0 }, // not JSON at all
    ]);
  });

  it("sends and handles requests both ways", async () => {
    const [left, right] = streams();
    const a = new Connection(fromMessageStream(left));
    const b = new Connection(fromMessageStream(right));
    a.onRequest("m", () => "from a");
    b.onRequest("m", async () => [await b.request("m"), "from b"]);
    a.listen();
    b.listen();
    expect(await a.request("m")).toEqual(["from a", "from b"]);
    await a.close();
    expect(await b.closed).toMatchObject({ code: "peer_closed" });
  });

  it("flushes queued messages before it closes, in order", async () => {
    const { stream, written, log } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    for (let i = 0; i < 50; i += 1) void connection.notify(String(i));
    await connection.close();
    expect(written).toEqual(Array.from({ length: 50 }, (_, i) => notification(String(i))));
    expect(log).toEqual(["writable closed", "readable cancelled: undefined"]);
  });

  it("sends what a message was at the call, whatever the sender changes later", async () => {
    const { stream, written } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    const params = { status: "pending" };
    void connection.notify("m", params);
    params.status = "completed";
    await connection.close();
    expect(written).toEqual([{ ...notification("m"), params: { status: "pending" } }]);
  });

  it("reports that it was closed before it was started", async () => {
    const { stream } = manualStream();
    const transport = fromMessageStream(stream);
    await transport.close();
    const connection = new Connection(transport);
    connection.listen();
    expect(await connection.closed).toMatchObject({
      code: "transport_failed",
      cause: new Error("The transport was closed before it was connected"),
    });
  });

  it("is ended in both directions by close() although its sink never takes a message", async () => {
    const { stream, log } = manualStream();
    const signals: AbortSignal[] = [];
    const writable = new WritableStream<unknown>({
      write(_, controller) {
        signals.push((controller as unknown as { readonly signal: AbortSignal }).signal); // newer than the types
        return new Promise(() => {});
      },
    });
    const transport = fromMessageStream({ readable: stream.readable, writable }, { closeTimeoutMs: 1 });
    transport.start({ message() {}, malformed() {}, ended() {}, failed() {} });
    transport.send({ jsonrpc: "2.0", method: "stuck" });
    await transport.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(log).toEqual(["readable cancelled: undefined"]);
  });

  it.each([600, 3_000, 100_000])("refuses a message %d levels deep, and responds with an error", async (levels) => {
    const [left, right] = streams();
    const connection = new Connection(fromMessageStream(left));
    connection.onRequest("m", () => "fine");
    connection.listen();
    const peer = { reader: right.readable.getReader(), writer: right.writable.getWriter() };
    let deep: unknown = 1;
    for (let level = 0; level < levels; level += 1) deep = { deep };
    void peer.writer.write({ jsonrpc: "2.0", id: 1, method: "m", params: { deep } });
    void peer.writer.write({ jsonrpc: "2.0", id: 2, method: "m" });
    expect((await peer.reader.read()).value).toMatchObject({ id: 1, error: { code: -32600 } });
    expect((await peer.reader.read()).value).toMatchObject({ id: 2, result: "fine" });
    await connection.close();
  });

  it("rejects the request whose response contains itself", async () => {
    const { stream, enqueue } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    const request = connection.request("m");
    const result: Record<string, unknown> = {};
    result.self = result;
    enqueue({ jsonrpc: "2.0", id: 1, result });
    await expect(request).rejects.toMatchObject({ code: "invalid_response" });
    await connection.close();
  });

  it("responds to requests that had arrived before the input ended", async () => {
    const { stream, written, enqueue, endInput } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    const go = gate();
    connection.onRequest("m", () => go.promise);
    connection.listen();
    enqueue({ jsonrpc: "2.0", id: 1, method: "m" });
    endInput();
    await turn();
    go.open();
    expect(await connection.closed).toMatchObject({ code: "peer_closed" });
    expect(written).toEqual([{ jsonrpc: "2.0", id: 1, result: null }]);
  });

  it.each(["input", "output"])("fails with the error of its %s, and releases the other direction", async (side) => {
    const { stream, log, failInput, failOutput } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    const request = connection.request("m");
    const error = new Error("cable cut");
    if (side === "input") failInput(error);
    else failOutput(error);
    await expect(request).rejects.toMatchObject({ code: "transport_failed", cause: error });
    await connection.closed;
    expect(log).toEqual([
      side === "input" ? "writable aborted: Error: cable cut" : "readable cancelled: Error: cable cut",
    ]);
  });

  it("fails when a write does", async () => {
    const { stream, setSink } = manualStream();
    setSink(() => Promise.reject(new Error("EPIPE")));
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    await expect(connection.request("m")).rejects.toMatchObject({
      code: "transport_failed",
      cause: { message: "EPIPE" },
    });
  });

  it("fails with an error from before it listened", async () => {
    const { stream, failOutput } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    failOutput(new Error("early"));
    await turn();
    connection.listen();
    expect(await connection.closed).toMatchObject({ code: "transport_failed", cause: { message: "early" } });
  });

  it("survives a message that JSON can't hold, which would break the stream", async () => {
    const { stream, written, enqueue } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    connection.onRequest("bad", () => ({ n: 1n }));
    connection.listen();
    await expect(connection.request("m", { n: 1n })).rejects.toThrow(TypeError);
    enqueue({ jsonrpc: "2.0", id: 1, method: "bad" });
    await turn();
    expect(written).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(connection.state).toBe("open");
  });

  it("reports values that are not JSON-RPC messages", async () => {
    const { stream, written, enqueue } = manualStream();
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    enqueue(undefined);
    enqueue([1]);
    await turn();
    expect(written).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  it("signals when the writable has no room, and when it has again", async () => {
    const { stream, setSink } = manualStream();
    const slow = gate();
    setSink(() => slow.promise);
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    const room = watch(Promise.resolve(connection.notify("m")));
    await turn();
    expect(room.state()).toBe("pending");
    slow.open();
    await turn();
    expect(room.state()).toEqual({ value: undefined });
  });

  it("releases senders that wait for room after the end", async () => {
    const { stream, setSink, failOutput } = manualStream();
    setSink(() => new Promise(() => {}));
    const connection = new Connection(fromMessageStream(stream));
    connection.listen();
    void connection.notify("a");
    const room = connection.notify("b");
    expect(room).toBeInstanceOf(Promise);
    failOutput(new Error("cable cut"));
    await room;
  });

  it.each([0, 1])("leaves messages in the stream while its handlers are too slow (highWaterMark: %d)", async (mark) => {
    const [left, right] = streams(mark);
    const sender = new Connection(fromMessageStream(left));
    const receiver = new Connection(fromMessageStream(right), { maxBacklogBytes: 5_000 });
    const stalled = gate();
    const seen: unknown[] = [];
    receiver.onNotification("m", (params) => {
      seen.push(params);
      return stalled.promise;
    });
    sender.listen();
    receiver.listen();
    let sent = 0;
    const sending = (async () => {
      for (let i = 0; i < 200; i += 1) {
        await sender.notify("m", { i });
        sent += 1;
      }
    })();
    await turn();
    expect(sent).toBeLessThan(50);
    stalled.open();
    await sending;
    await turn();
    expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => ({ i })));
    await sender.close();
  });
});

describe("a transport offered as a message stream", () => {
  it("carries a dialogue", async () => {
    const [left, right] = linkedTransports();
    const a = new Connection(fromMessageStream(toMessageStream(left)));
    const b = new Connection(fromMessageStream(toMessageStream(right)));
    b.onRequest("m", (params) => params);
    a.listen();
    b.listen();
    expect(await a.request("m", { deep: [1] })).toEqual({ deep: [1] });
    await b.close();
    expect(await a.closed).toMatchObject({ code: "peer_closed" });
  });

  it("pauses the transport while no reader reads, and resumes when one does", async () => {
    const transport = new ManualTransport();
    const { readable } = toMessageStream(transport);
    transport.deliver({ method: "a" }, { method: "b" });
    expect(transport.paused).toBe(true);
    const reader = readable.getReader();
    await reader.read();
    await reader.read();
    const next = reader.read();
    await turn();
    expect(transport.paused).toBe(false);
    transport.deliver({ method: "c" });
    expect(await next).toMatchObject({ value: { method: "c" } });
  });

  it("delivers 50,000 messages of a transport that is far ahead", async () => {
    const [left, right] = linkedTransports({ serialize: false });
    const one = notification("m");
    for (let i = 0; i < 50_000; i += 1) left.send(one);
    await left.close();
    let seen = 0;
    for await (const value of toMessageStream(right).readable) seen += value === one ? 1 : 0;
    expect(seen).toBe(50_000);
  });

  it("blocks the writer while the transport is full", async () => {
    const transport = new ManualTransport();
    const writer = toMessageStream(transport).writable.getWriter();
    const room = gate();
    transport.full = room.promise;
    const writing = watch(writer.write(notification("m")));
    await turn();
    expect(transport.sent).toHaveLength(1);
    expect(writing.state()).toBe("pending");
    room.open();
    await turn();
    expect(writing.state()).toEqual({ value: undefined });
  });

  it("ends its readable when the peer ends, and can still be written to", async () => {
    const transport = new ManualTransport();
    const { readable, writable } = toMessageStream(transport);
    transport.deliver({ method: "last" });
    transport.end();
    const reader = readable.getReader();
    expect(await reader.read()).toMatchObject({ value: { method: "last" } });
    expect(await reader.read()).toMatchObject({ done: true });
    const writer = writable.getWriter();
    await writer.write(notification("m"));
    await writer.close();
    expect([transport.sent.length, transport.closes]).toEqual([1, 1]);
  });

  it("fails in both directions when the transport does", async () => {
    const transport = new ManualTransport();
    const { readable, writable } = toMessageStream(transport);
    const error = new Error("cable cut");
    transport.fail(error);
    await expect(readable.getReader().read()).rejects.toBe(error);
    await expect(writable.getWriter().write(notification("m"))).rejects.toBe(error);
  });

  it.each(["close", "abort"] as const)(
    "%ss the transport from its writable, which ends the readable too",
    async (how) => {
      const transport = new ManualTransport();
      const { readable, writable } = toMessageStream(transport);
      transport.end();
      await writable[how]();
      expect(transport.closes).toBe(1);
      expect(await readable.getReader().read()).toMatchObject({ done: true });

      const open = new ManualTransport();
      const other = toMessageStream(open);
      await other.writable[how]();
      expect(await other.readable.getReader().read()).toMatchObject({ done: true });
    },
  );

  it("closes the transport when its readable is cancelled; writing fails from then on, and late messages do no harm", async () => {
    const transport = new ManualTransport();
    const { readable, writable } = toMessageStream(transport);
    await readable.cancel();
    expect(transport.closes).toBe(1);
    transport.deliver({ method: "late" });
    transport.end();
    await expect(writable.getWriter().write(notification("m"))).rejects.toThrow(/cancelled/);
  });

  it("fails as a whole when a message can't be serialized: a writable has no smaller failure", async () => {
    const transport = new ManualTransport();
    const { readable, writable } = toMessageStream(transport);
    await expect(writable.getWriter().write({ ...notification("m"), params: 1n })).rejects.toThrow(TypeError);
    await expect(readable.getReader().read()).rejects.toThrow(TypeError);
    expect(transport.closes).toBe(1);
  });

  it("reports malformed input, which a message stream can't represent", () => {
    const transport = new ManualTransport();
    const seen: unknown[] = [];
    toMessageStream(transport, { onMalformed: (input) => seen.push(input.excerpt) });
    transport.deliverMalformed({ excerpt: "Welcome!" });
    expect(seen).toEqual(["Welcome!"]);
  });

  it.each<[string, () => void]>([
    ["throws", () => expect.unreachable()],
    ["rejects", () => Promise.reject(new Error("the hook has a bug"))],
  ])("delivers the next message although onMalformed %s", async (_, onMalformed) => {
    const transport = new ManualTransport();
    const { readable } = toMessageStream(transport, { onMalformed });
    transport.deliverMalformed({ excerpt: "Welcome!" });
    transport.deliver({ method: "m" });
    expect(await readable.getReader().read()).toMatchObject({ value: { method: "m" } });
  });
});
