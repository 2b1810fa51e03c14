import { type ByteStreams, byteTransport } from "@acp-kit/stdio";
import { describe, expect, it } from "vitest";
import { createClock } from "../clock.js";
import type { WireMessage } from "../wire-message.js";
import type { FaultPlan } from "./fault-plan.js";
import { type FaultyBytesOptions, faultyBytes } from "./faulty-bytes.js";
import { forEachSeed } from "./for-each-seed.js";
import { randomPlan } from "./random-plan.js";

const encoder = new TextEncoder();

/** Byte streams with faults, and the other end: what the agent writes, and what it reads. */
function wire(plan: FaultPlan, options: FaultyBytesOptions = {}) {
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  const toAgent = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, { highWaterMark: 64 });
  const streams = faultyBytes({ readable: toClient.readable, writable: toAgent.writable }, plan, options);
  const agent = toClient.writable.getWriter();
  return {
    streams,
    say: (text: string) => void agent.write(encoder.encode(text)).catch(() => {}),
    end: () => void agent.close().catch(() => {}),
    fail: (error: Error) => void agent.abort(error).catch(() => {}),
    heard: () => chunks(toAgent.readable),
  };
}

/** Every piece that arrives, as text, until the end or the stream's error. */
async function chunks(readable: ReadableStream<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  try {
    for await (const chunk of readable) pieces.push(decoder.decode(chunk, { stream: true }));
  } catch (error) {
    pieces.push(`broken: ${(error as Error).message}`);
  }
  return pieces;
}

const line = (n: number): string => `${JSON.stringify({ jsonrpc: "2.0", method: `_${n}`, params: "é🎉" })}\n`;

describe("faulty byte streams", () => {
  it("pass every byte unchanged, wherever the lines are split", async () => {
    const { streams, say, end } = wire([]);
    const text = `${line(1)}no JSON at all\n\n  ${line(2)}\r\nthe rest`;
    for (const part of text.match(/.{1,5}/gs) ?? []) say(part);
    end();
    expect((await chunks(streams.readable)).join("")).toBe(text);
  });

  it("pass invalid UTF-8 unchanged, also merged and in pieces", async () => {
    const bytes = Uint8Array.from([0xff, 0x20, 0xc3, 0x0a, 0x7b, 0x7d, 0x0a, 0xef, 0xbf, 0xbd, 0x0a, 0xf0, 0x9f]);
    for (const plan of [
      [],
      [
        { fault: "merge", messages: 4 },
        { fault: "split", bytes: 2 },
      ],
    ] as FaultPlan[]) {
      const source = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes);
          controller.close();
        },
      });
      const { readable } = faultyBytes({ readable: source, writable: new WritableStream() }, plan);
      const received: number[] = [];
      for await (const chunk of readable) received.push(...chunk);
      expect(received).toEqual([...bytes]);
    }
  });

  it("split reads, even in the middle of a character", async () => {
    const { streams, say, end } = wire([{ fault: "split", bytes: 1, at: 1 }]);
    say(line(1) + line(2));
    end();
    const pieces = await chunks(streams.readable);
    expect(pieces).toHaveLength(encoder.encode(line(1)).length + 1);
    expect(pieces.join("")).toBe(line(1) + line(2));
  });

  it("merge reads", async () => {
    const clock = createClock();
    const { streams, say, end } = wire([{ fault: "merge", messages: 3, ms: 50, at: [1, 4] }], { clock });
    for (const n of [1, 2, 3, 4]) say(line(n));
    const reading = chunks(streams.readable);
    await clock.advance(50);
    end();
    expect(await reading).toEqual([line(1) + line(2) + line(3), line(4)]);
  });

  it("merge and split reads, so that pieces don't end where lines do", async () => {
    const { streams, say, end } = wire([
      { fault: "merge", messages: 3, at: 1 },
      { fault: "split", bytes: 30, at: 1 },
    ]);
    for (const n of [1, 2, 3, 4]) say(line(n));
    end();
    const pieces = await chunks(streams.readable);
    expect(pieces.join("")).toBe([1, 2, 3, 4].map(line).join(""));
    expect(pieces.filter((piece) => /^.+\n.+$/s.test(piece)).length).toBeGreaterThan(0);
  });

  it("are cut at a byte, and drop further writes", async () => {
    const endings: unknown[] = [];
    const { streams, say, heard } = wire([{ fault: "cut", at: 2, byte: 9 }], {
      onEnding: (ending) => endings.push(ending),
    });
    say(line(1) + line(2) + line(3));
    expect(await chunks(streams.readable)).toEqual([line(1), '{"jsonrpc']);
    await streams.writable.getWriter().write(encoder.encode(line(4)));
    expect(await heard()).toEqual([]);
    expect(endings).toMatchObject([{ how: "ends", error: { message: expect.stringContaining("after 9 of its") } }]);
  });

  it("break in both directions", async () => {
    const { streams, say, heard } = wire([{ fault: "die", how: "breaks", at: 2 }]);
    say(line(1) + line(2));
    expect(await chunks(streams.readable)).toEqual([
      line(1),
      expect.stringContaining("broken: Fault injected (seed 1): die"),
    ]);
    await expect(streams.writable.getWriter().write(encoder.encode(line(3)))).rejects.toThrow("Fault injected");
    expect(await heard()).toEqual([expect.stringContaining("broken: Fault injected")]);
  });

  it("close one direction and keep the other direction open", async () => {
    const { streams, say, heard } = wire([{ fault: "half-close", from: "agent", at: 1 }]);
    say(line(1) + line(2));
    expect(await chunks(streams.readable)).toEqual([line(1)]);
    const writer = streams.writable.getWriter();
    void writer.write(encoder.encode(line(3)));
    void writer.close();
    expect(await heard()).toEqual([line(3)]);
  });

  it("delay reading, so that the writer waits", async () => {
    const clock = createClock();
    const { streams, heard } = wire([{ fault: "slow", from: "client", ms: 100, at: 1 }], { clock });
    const writer = streams.writable.getWriter();
    let written = false;
    void writer.write(encoder.encode(line(1))).then(() => {
      written = true;
    });
    const hearing = heard();
    await clock.advance(99);
    expect(written).toBe(false);
    await clock.advance(1);
    expect(written).toBe(true);
    await writer.close();
    expect(await hearing).toEqual([line(1)]);
  });

  it("insert garbage, banners and huge frames between the lines", async () => {
    const { streams, say, end } = wire([
      { fault: "banner", at: 1, text: "Hi" },
      { fault: "garbage", at: 2 },
      { fault: "huge", at: 2, bytes: 5_000 },
    ]);
    say(line(1) + line(2));
    end();
    const lines = (await chunks(streams.readable)).join("").split("\n");
    expect(lines).toEqual([
      "Hi",
      line(1).trim(),
      expect.any(String),
      expect.stringContaining("xxx"),
      line(2).trim(),
      "",
    ]);
    expect(lines[3]).toHaveLength(5_000);
    expect(() => JSON.parse(lines[2] ?? "")).toThrow();
  });

  it("report that the underlying streams failed", async () => {
    const { streams, say, fail } = wire([{ fault: "delay", ms: 60_000 }]);
    const reading = chunks(streams.readable);
    say(line(1));
    fail(new Error("cable cut"));
    expect((await reading).at(-1)).toBe("broken: cable cut");
  });

  it("end their reader, with any seed", async () => {
    await forEachSeed({ runs: 150 }, async (seed) => {
      const clock = createClock();
      const { streams, say, end, heard } = wire(randomPlan(seed), { seed, clock });
      const got: unknown[] = [];
      const ended = new Promise<string>((resolve) => {
        const transport = byteTransport(streams as ByteStreams);
        transport.start({
          message: (value) => got.push(value as WireMessage),
          malformed: () => got.push("malformed"),
          ended: () => resolve("ended"),
          failed: () => resolve("failed"),
        });
        for (let n = 0; n < 20; n += 1) transport.send({ jsonrpc: "2.0", method: `_${n}` });
      });
      void heard();
      for (let n = 0; n < 20; n += 1) say(line(n));
      end();
      await clock.advance(60_000);
      expect(await ended).toMatch(/^(ended|failed)$/);
      expect(clock.pending, streams.describe()).toBe(0);
    });
  });
});
