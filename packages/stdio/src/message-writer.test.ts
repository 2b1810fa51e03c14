import type { Message } from "@acp-kit/jsonrpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageReader } from "./message-reader.js";
import { MessageWriter } from "./message-writer.js";

const note = (text: unknown): Message => ({ jsonrpc: "2.0", method: "note", params: { text } });

/**
 * A writer whose clock and peer the test controls: `tick` flushes, `waiting` are the bytes that the peer has not read.
 */
function open(maxUnsentBytes?: number) {
  const writes: Uint8Array[] = [];
  const scheduled: (() => void)[] = [];
  const peer = { waiting: 0 };
  const writer = new MessageWriter({
    write({ parts, bytes, ascii }) {
      const encoded = new TextEncoder().encode(parts.join(""));
      expect(encoded.length).toBe(bytes);
      expect(encoded.every((byte) => byte < 0x80)).toBe(ascii);
      writes.push(encoded);
      return peer.waiting;
    },
    schedule: (flush) => scheduled.push(flush),
    maxUnsentBytes,
  });
  const tick = (): void => {
    for (const flush of scheduled.splice(0)) flush();
  };
  const text = (): string => writes.map((bytes) => new TextDecoder().decode(bytes)).join("");
  return { writer, writes, scheduled, peer, tick, text };
}

const separated = fc.constantFrom("\u2028", "\u2029", "\\", '"', "\n", "é", "漢", "a");

async function isSettled(promise: Promise<void> | undefined): Promise<boolean> {
  let settled = false;
  void promise?.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe("MessageWriter", () => {
  it("writes the messages of one tick at once, each on a line of its own", () => {
    const { writer, writes, tick, text } = open();
    expect(writer.send(note("a"))).toBe(JSON.stringify(note("a")).length);
    writer.send(note("line\nbreak \u2028 é 漢 😀 \ud800"));
    expect(writes).toHaveLength(0);
    tick();
    expect(writes).toHaveLength(1);
    const escaped = JSON.stringify(note("line\nbreak ? é 漢 😀 \ud800")).replace("?", "\\u2028");
    expect(text()).toBe(`${JSON.stringify(note("a"))}\n${escaped}\n`);
    writer.send(note("b"));
    tick();
    expect(writes).toHaveLength(2);
  });

  it("writes the text that the sender already has, also with U+2028 escaped", () => {
    const { writer, tick, text } = open();
    expect(writer.send(note("not serialized"), '{"known":"a"}')).toBe(13);
    expect(writer.send(note("not serialized"), '{"known":"\u2028"}')).toBe('{"known":"\\u2028"}'.length);
    tick();
    expect(text()).toBe('{"known":"a"}\n{"known":"\\u2028"}\n');
  });

  it("escapes U+2028 and U+2029 wherever they stand, and counts what it writes", () => {
    const members = fc.dictionary(fc.string({ unit: separated }), fc.string({ unit: separated, maxLength: 2_000 }));
    fc.assert(
      fc.property(members, fc.constantFrom("newline", "content-length"), (params, framing) => {
        const { writer, tick, text } = open();
        writer.framing = framing as "newline" | "content-length";
        const size = writer.send(note(params));
        tick();
        expect(text()).not.toMatch(/[\u2028\u2029]/);
        const line = framing === "newline" ? text().trimEnd() : text().slice(text().indexOf("{"));
        expect(JSON.parse(line)).toEqual(note(params));
        expect(new TextEncoder().encode(line)).toHaveLength(size);
      }),
    );
  });

  it("writes immediately above the high-water mark", () => {
    const { writer, writes, tick } = open(1_000);
    for (let count = 0; count < 30; count += 1) writer.send(note("x".repeat(60)));
    expect(writes.length).toBeGreaterThan(1);
    tick();
    expect(writes.every((bytes) => bytes.length < 1_200)).toBe(true);
  });

  it("is read back unchanged, whatever the sizes, in both framings", () => {
    const size = fc.oneof(fc.nat(200), fc.integer({ min: 10_000, max: 90_000 }));
    const unit = fc.constantFrom("a", "é", "漢", "😀", "\n", "\u2028");
    const step = fc.tuple(size, unit, fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.constantFrom("newline", "content-length"), (steps, framing) => {
        const { writer, writes, tick } = open();
        writer.framing = framing as "newline" | "content-length";
        const sizes: number[] = [];
        for (const [length, character, flush] of steps) {
          sizes.push(writer.send(note(character.repeat(length))));
          if (flush) tick();
        }
        tick();
        const messages: unknown[] = [];
        const readSizes: number[] = [];
        const reader = new MessageReader({
          message(value, bytes) {
            messages.push(value);
            readSizes.push(bytes);
          },
          malformed: (input) => messages.push(input),
        });
        for (const bytes of writes) reader.push(bytes);
        reader.end();
        expect(messages).toEqual(steps.map(([length, character]) => note(character.repeat(length))));
        expect(readSizes).toEqual(sizes);
      }),
      { numRuns: 60 },
    );
  });

  it("collects messages while the peer doesn't read, and is full above the high-water mark until it does", async () => {
    const { writer, writes, peer, tick } = open(1_000);
    peer.waiting = 10;
    writer.send(note("first"));
    tick();
    expect(writer.full).toBeUndefined();
    for (let count = 0; count < 10; count += 1) {
      writer.send(note("few"));
      tick();
    }
    expect(writes).toHaveLength(1);
    expect(writer.full).toBeUndefined();
    peer.waiting = 2_000;
    for (let count = 0; count < 100; count += 1) writer.send(note(`${count}`));
    expect(writes.slice(1).every((bytes) => bytes.length >= 1_000)).toBe(true);
    const { full } = writer;
    expect(full).toBeInstanceOf(Promise);
    expect(writer.full).toBe(full);
    expect(await isSettled(full)).toBe(false);

    writer.drained(); // the rest of the batch is written, and not read
    expect(await isSettled(full)).toBe(false);
    peer.waiting = 0;
    writer.drained();
    expect(await isSettled(full)).toBe(true);
    expect(writer.full).toBeUndefined();
  });

  it("releases waiting senders when it ends, and does nothing from then on", async () => {
    const { writer, writes, peer, tick } = open(10);
    peer.waiting = 100;
    writer.send(note("first"));
    const { full } = writer;
    writer.end();
    expect(await isSettled(full)).toBe(true);
    expect(writer.send(note("late"))).toBe(0);
    tick();
    writer.flushAll();
    expect(writes).toHaveLength(1);
    expect(writer.full).toBeUndefined();
  });

  it("refuses messages that can't be serialized, and sends no part of them", () => {
    const { writer, tick, text } = open();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const throwing = {
      toJSON() {
        throw new RangeError("no");
      },
    };
    for (const bad of [circular, 1n, throwing]) expect(() => writer.send(note(bad))).toThrow(TypeError);
    expect(() => writer.send({ toJSON: () => undefined } as unknown as Message)).toThrow("JSON can't represent it");
    writer.send(note("good"));
    tick();
    expect(text()).toBe(`${JSON.stringify(note("good"))}\n`);
  });
});
