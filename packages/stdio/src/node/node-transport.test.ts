import { once } from "node:events";
import { createServer, connect as openSocket, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import type { Message } from "@acp-kit/jsonrpc";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Recorder } from "../../test/recorder.js";
import { NodeTransport, nodeTransport } from "./node-transport.js";

const note = (id: number, text = ""): Message => ({ jsonrpc: "2.0", method: "note", params: { id, text } });

let cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const act of cleanUp.splice(0)) await act();
  cleanUp = [];
});

/** The two ends of a real socket, because the pipes of a child process are such streams, too. */
async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  const path = join(tmpdir(), `acp-kit-${process.pid}-${Math.random().toString(36).slice(2)}.sock`);
  server.listen(path);
  await once(server, "listening");
  const accepted = once(server, "connection");
  const ours = openSocket({ path, allowHalfOpen: true });
  const [theirs] = (await accepted) as [Socket];
  cleanUp.push(() => {
    ours.destroy();
    theirs.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  theirs.on("error", () => {});
  return [ours, theirs];
}

describe("nodeTransport", () => {
  it("delivers messages and sends them, those of one tick in one write", async () => {
    const input = new PassThrough();
    const writes: string[] = [];
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        writes.push(chunk.toString());
        done();
      },
    });
    const transport = nodeTransport(input, output);
    const receiver = new Recorder();
    transport.start(receiver);
    input.write('{"a":"é');
    input.write('漢"}\n2\n');
    await receiver.until(({ messages }) => messages.length === 2);
    expect(receiver.messages).toEqual([{ a: "é漢" }, 2]);
    transport.send(note(1));
    await Promise.resolve();
    transport.send(note(2));
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toEqual([`${JSON.stringify(note(1))}\n${JSON.stringify(note(2))}\n`]);
    await transport.close();
  });

  it("leaves the bytes in the pipe while paused", async () => {
    const [ours, theirs] = await socketPair();
    const transport = nodeTransport(ours, ours);
    const receiver = new Recorder();
    transport.start(receiver);
    transport.pause();
    const line = `${JSON.stringify(note(0, "x".repeat(10_000)))}\n`;
    for (let count = 0; count < 2_000; count += 1) theirs.write(line);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(receiver.messages.length).toBeLessThan(20);
    expect(ours.readableLength).toBeLessThan(1_000_000);
    expect(theirs.writableLength).toBeGreaterThan(10_000_000);
    transport.resume();
    await receiver.until(({ messages }) => messages.length === 2_000);
    await transport.close();
  });

  it("is full while the peer doesn't read, loses no message and continues when it does", async () => {
    const [ours, theirs] = await socketPair();
    const transport = nodeTransport(ours, ours);
    transport.start(new Recorder());
    theirs.pause();
    let sent = 0;
    for (let waited = 0; waited < 5; ) {
      if (transport.full === undefined) {
        waited = 0;
        transport.send(note(sent, "x".repeat(1_000)));
        sent += 1;
      } else {
        waited += 1; // once the kernel's buffers are full, it stays full
        await tick();
      }
    }
    expect(sent * 1_000).toBeLessThan(4_000_000); // the kernel's buffers and ours, nothing else
    const { full } = transport;
    expect(full).toBeInstanceOf(Promise);
    let received = "";
    theirs.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const ended = once(theirs, "end");
    theirs.resume();
    await full;
    await transport.close();
    await ended;
    expect(received.trimEnd().split("\n")).toHaveLength(sent);
  });

  it("reports the end of input and can still send", async () => {
    const [ours, theirs] = await socketPair();
    const transport = nodeTransport(ours, ours);
    const receiver = new Recorder();
    transport.start(receiver);
    theirs.end('{"last":1}');
    await receiver.until(({ ends }) => ends.length > 0);
    expect(receiver.messages).toEqual([{ last: 1 }]);
    expect(receiver.ends).toEqual([{ kind: "ended" }]);
    transport.send(note(1));
    const [chunk] = (await once(theirs, "data")) as [Buffer];
    expect(chunk.toString()).toContain('"id":1');
    await transport.close();
  });

  it("fails when a stream closes without its end", async () => {
    for (const side of ["readable", "writable"] as const) {
      const streams = { readable: new PassThrough(), writable: new PassThrough() };
      const transport = new NodeTransport(streams.readable, streams.writable, { inputGraceMs: 1 });
      const receiver = new Recorder();
      transport.start(receiver);
      streams[side].destroy();
      expect(await receiver.failure()).toMatchObject({ message: expect.stringMatching(/closed/) });
      await transport.close();
      expect(receiver.ends).toHaveLength(1);
      expect(streams.readable.destroyed && streams.writable.destroyed).toBe(true);
    }
  });

  it("reads what the peer wrote before it ended, then fails with the reason", async () => {
    const input = new PassThrough();
    const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const output = new Writable({ write: (_chunk, _encoding, done) => done(broken) });
    const transport = nodeTransport(input, output);
    const receiver = new Recorder();
    transport.start(receiver);
    transport.send(note(1));
    await once(output, "error");
    expect(receiver.ends).toEqual([]);
    input.end('{"answer":1}\n');
    expect(await receiver.failure()).toBe(broken);
    expect(receiver.messages).toEqual([{ answer: 1 }]);
    expect(transport.full).toBeUndefined();
    await transport.close();
  });

  it("ends when its output is closed while no message waits, as Node closes the input of a process that has exited", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = nodeTransport(input, output);
    const receiver = new Recorder();
    transport.start(receiver);
    transport.send(note(1));
    await new Promise((resolve) => setImmediate(resolve));
    output.resume(); // the peer reads the message
    await vi.waitFor(() => expect(output.writableLength).toBe(0));
    output.destroy();
    await once(output, "close");
    input.end('{"last":1}\n');
    await receiver.until(({ ends }) => ends.length > 0);
    expect([receiver.messages, receiver.ends]).toEqual([[{ last: 1 }], [{ kind: "ended" }]]);
    await transport.close();
  });

  it("fails when its output is closed while a message waits", async () => {
    const input = new PassThrough();
    const output = new Writable({ write() {} }); // never finishes
    const transport = nodeTransport(input, output);
    const receiver = new Recorder();
    transport.start(receiver);
    transport.send(note(1));
    transport.send(note(2));
    await new Promise((resolve) => setImmediate(resolve));
    output.destroy();
    await once(output, "close");
    input.end();
    expect(await receiver.failure()).toEqual(new Error("The output stream was closed."));
    await transport.close();
  });

  it("fails when writing fails and the peer sends nothing more", async () => {
    const broken = new Error("write EPIPE");
    const output = new Writable({ write: (_chunk, _encoding, done) => done(broken) });
    const transport = new NodeTransport(new PassThrough(), output, { inputGraceMs: 5 });
    const receiver = new Recorder();
    transport.start(receiver);
    transport.send(note(1));
    expect(await receiver.failure()).toBe(broken);
    await transport.close();
  });

  it("lets a sender that waits while it is full notice that writing has failed, however fast it sends", async () => {
    const broken = new Error("write EPIPE");
    const output = new Writable({ write: (_chunk, _encoding, done) => done(broken) });
    const transport = new NodeTransport(new PassThrough(), output, { inputGraceMs: 5 });
    const receiver = new Recorder();
    transport.start(receiver);
    let sent = 0;
    for (; receiver.ends.length === 0 && sent < 500_000; sent += 1) {
      transport.send(note(sent));
      await transport.full;
    }
    expect(sent).toBeLessThan(10_000); // what fits into its queue, not all that there is
    expect(await receiver.failure()).toBe(broken);
    await transport.close();
  });

  it("fails with a read error, and reports one from before the start", async () => {
    for (const early of [true, false]) {
      const input = new PassThrough();
      const transport = nodeTransport(input, new PassThrough());
      const receiver = new Recorder();
      const reset = new Error("read ECONNRESET");
      if (early) {
        input.destroy(reset);
        await new Promise((resolve) => setImmediate(resolve));
        transport.start(receiver);
      } else {
        transport.start(receiver);
        input.destroy(reset);
      }
      expect(await receiver.failure()).toBe(reset);
      await transport.close();
    }
  });

  it("flushes queued messages before it closes, delivers nothing afterwards and leaves no listener", async () => {
    const [ours, theirs] = await socketPair();
    const transport = nodeTransport(ours, ours);
    const receiver = new Recorder();
    transport.start(receiver);
    let received = "";
    theirs.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    for (let id = 0; id < 5_000; id += 1) transport.send(note(id, "x".repeat(100)));
    const ended = once(theirs, "end");
    const closed = transport.close();
    expect(transport.close()).toBe(closed);
    theirs.write('{"late":true}\n');
    await closed;
    await ended;
    expect(received.trimEnd().split("\n")).toHaveLength(5_000);
    expect(receiver.messages).toEqual([]);
    expect(receiver.ends).toEqual([]);
    for (const event of ["data", "drain"]) expect(ours.listenerCount(event)).toBe(0);
  });

  it("waits for the peer without a limit if closeTimeoutMs is Infinity", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let finish = (): void => {};
    const output = new Writable({
      write(_chunk, _encoding, done) {
        finish = done;
      },
    });
    const transport = nodeTransport(Readable.from([]), output, { closeTimeoutMs: Number.POSITIVE_INFINITY });
    transport.start(new Recorder());
    transport.send(note(1));
    const closed = transport.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(output.destroyed).toBe(false);
    finish();
    await closed;
    expect(output.destroyed).toBe(true);
  });

  it("reports that it was closed before it was started", async () => {
    const transport = nodeTransport(Readable.from([]), new PassThrough());
    await transport.close();
    const receiver = new Recorder();
    transport.start(receiver);
    expect(await receiver.failure()).toEqual(new Error("The transport was closed before it was connected"));
  });

  it("closes in bounded time when the peer reads nothing", async () => {
    const output = new Writable({ write: () => {} });
    const transport = nodeTransport(Readable.from([]), output, { closeTimeoutMs: 10 });
    transport.start(new Recorder());
    transport.send(note(1));
    await transport.close();
    expect(output.destroyed).toBe(true);
  });
});

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
