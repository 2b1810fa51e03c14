import type { Message } from "@acp-kit/jsonrpc";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Recorder } from "../test/recorder.js";
import { ByteTransport, byteTransport } from "./byte-transport.js";

const note = (id: number): Message => ({ jsonrpc: "2.0", method: "note", params: { id } });

/** A transport whose peer is the test, which reads and writes bytes. */
function open(options: ConstructorParameters<typeof ByteTransport>[1] = {}) {
  const input = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, { highWaterMark: 16 });
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const streams = { readable: input.readable, writable: output.writable };
  const transport = Object.keys(options).length === 0 ? byteTransport(streams) : new ByteTransport(streams, options);
  const writer = input.writable.getWriter();
  const reader = output.readable.getReader();
  const receiver = new Recorder();
  return {
    transport,
    receiver,
    writer,
    reader,
    write: (text: string) => writer.write(new TextEncoder().encode(text)),
    read: async () => new TextDecoder().decode((await reader.read()).value),
  };
}

describe("byteTransport", () => {
  it("delivers messages and sends them", async () => {
    const { transport, receiver, write, read } = open();
    transport.start(receiver);
    await write('{"a":1}\n{"b"');
    await write(":2}\n");
    await receiver.until(({ messages }) => messages.length === 2);
    expect(receiver.messages).toEqual([{ a: 1 }, { b: 2 }]);
    transport.send(note(1));
    transport.send(note(2));
    expect(await read()).toBe(`${JSON.stringify(note(1))}\n${JSON.stringify(note(2))}\n`);
  });

  it("calls queueMicrotask as browsers require: not as a method of another object", async () => {
    const original = globalThis.queueMicrotask;
    vi.stubGlobal("queueMicrotask", function (this: unknown, act: () => void) {
      if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
      original(act);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { transport, receiver, read } = open();
    transport.start(receiver);
    transport.send(note(1));
    expect(await read()).toContain('"id":1');
  });

  it("responds to a Content-Length framed peer with the same framing", async () => {
    const { transport, receiver, write, read } = open();
    transport.start(receiver);
    await write('content-length: 7\r\n\r\n{"a":1}');
    await receiver.until(({ messages }) => messages.length === 1);
    transport.send(note(1));
    const body = JSON.stringify(note(1));
    expect(await read()).toBe(`Content-Length: ${body.length}\r\n\r\n${body}`);
  });

  it("stops reading while paused, and soon inside a large chunk as well", async () => {
    const { transport, receiver, write } = open();
    receiver.onMessage = () => {
      if (receiver.messages.length === 1) transport.pause();
    };
    transport.start(receiver);
    const line = `{"text":"${"x".repeat(1_000)}"}\n`;
    void write(line.repeat(1_000));
    await receiver.until(({ messages }) => messages.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(receiver.messages.length).toBeLessThan(100);
    transport.resume();
    await receiver.until(({ messages }) => messages.length === 1_000);
  });

  it("is full while the peer doesn't read", async () => {
    const { transport, receiver, read } = open({ maxUnsentBytes: 100 });
    transport.start(receiver);
    expect(transport.full).toBeUndefined();
    for (let id = 0; id < 10; id += 1) transport.send(note(id));
    const { full } = transport;
    expect(full).toBeInstanceOf(Promise);
    let text = "";
    while (!text.includes('"id":9')) text += await read();
    await full;
    expect(transport.full).toBeUndefined();
  });

  it("reports the end of input after the last message and can still send", async () => {
    const { transport, receiver, write, writer, read } = open();
    transport.start(receiver);
    await write('{"last":true}');
    await writer.close();
    await receiver.until(({ ends }) => ends.length === 1);
    expect(receiver.messages).toEqual([{ last: true }]);
    expect(receiver.ends).toEqual([{ kind: "ended" }]);
    transport.send(note(1));
    expect(await read()).toContain('"id":1');
  });

  it("fails once when either stream breaks", async () => {
    const cut = new Error("cable cut");
    const input = open();
    input.transport.start(input.receiver);
    await input.writer.abort(cut);
    expect(await input.receiver.failure()).toBe(cut);
    await input.transport.close();

    const output = open();
    output.transport.start(output.receiver);
    await output.reader.cancel(cut);
    expect(await output.receiver.failure()).toBe(cut);
    output.transport.send(note(1));
    expect(output.transport.full).toBeUndefined();
    await output.transport.close();
    expect(output.receiver.ends).toHaveLength(1);
  });

  it("reports a stream that failed before it was started", async () => {
    const { transport, receiver, reader } = open();
    await reader.cancel(new Error("gone"));
    await new Promise((resolve) => setImmediate(resolve));
    transport.start(receiver);
    expect(receiver.ends).toEqual([]);
    expect(await receiver.failure()).toMatchObject({ message: "gone" });
  });

  it("flushes queued messages before it closes, and delivers nothing afterwards", async () => {
    const { transport, receiver, write, reader } = open({ maxUnsentBytes: 50 });
    transport.start(receiver);
    for (let id = 0; id < 20; id += 1) transport.send(note(id));
    const closed = transport.close();
    expect(transport.close()).toBe(closed);
    void write('{"late":true}\n').catch(() => {});
    let text = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += new TextDecoder().decode(next.value);
    }
    await closed;
    expect(text.trimEnd().split("\n")).toHaveLength(20);
    expect(receiver.messages).toEqual([]);
    expect(receiver.ends).toEqual([]);
    expect(transport.send(note(99))).toBe(0);
  });

  it("waits for the peer without a limit if closeTimeoutMs is Infinity", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { transport, receiver, read } = open({ closeTimeoutMs: Number.POSITIVE_INFINITY });
    transport.start(receiver);
    transport.send(note(1));
    const closed = transport.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await read()).toContain('"id":1');
    await closed;
  });

  it("reports that it was closed before it was started", async () => {
    const { transport, receiver } = open();
    await transport.close();
    transport.start(receiver);
    expect(receiver.ends).toEqual([]); // it is reported asynchronously, like everything else
    expect(await receiver.failure()).toEqual(new Error("The transport was closed before it was connected"));
  });

  it("closes in bounded time when the peer reads nothing", async () => {
    const { transport, receiver } = open({ closeTimeoutMs: 10 });
    transport.start(receiver);
    transport.send(note(1));
    await transport.close();
  });
});
