import type { MalformedInput } from "@acp-kit/jsonrpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageReader, type MessageReaderOptions } from "./message-reader.js";

interface Received {
  readonly messages: unknown[];
  readonly sizes: number[];
  readonly malformed: MalformedInput[];
}

const encoder = new TextEncoder();

/** Reads `bytes`, cut after each of `cuts`, to the end. */
function read(bytes: Uint8Array | string, cuts: readonly number[] = [], options: MessageReaderOptions = {}): Received {
  const received: Received = { messages: [], sizes: [], malformed: [] };
  const reader = new MessageReader(
    {
      message(value, size) {
        received.messages.push(value);
        received.sizes.push(size);
      },
      malformed: (input) => received.malformed.push(input),
    },
    options,
  );
  const all = typeof bytes === "string" ? encoder.encode(bytes) : bytes;
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const at = Math.min(cut, all.length);
    reader.push(all.slice(from, at));
    from = at;
  }
  reader.push(all.slice(from));
  reader.end();
  return received;
}

const everyByte = (bytes: Uint8Array): number[] => Array.from(bytes, (_, index) => index);

/** Long and deep values, which are cut more often. */
const largeJson = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1_000, max: 20_000 }), fc.constantFrom("x", '"', "\\", "é", "[{,"))
    .map(([length, unit]) => unit.repeat(length)),
  fc.integer({ min: 20, max: 500 }).map((levels) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown),
);
/** Any JSON value; one in ten is large. */
const anyJson = fc.oneof({ arbitrary: fc.jsonValue(), weight: 9 }, { arbitrary: largeJson, weight: 1 });
const json = fc.oneof(
  fc.record({ jsonrpc: fc.constant("2.0"), method: fc.string({ unit: "binary" }), params: anyJson }),
  anyJson,
  fc.string({ unit: fc.constantFrom("\u2028", "\u2029", "\u0085", "\n", "\r", "é", "漢", "😀", "a"), maxLength: 40 }),
);
/** The chunks of a message, which differ only in their texts. */
const chunks = fc
  .array(fc.string({ unit: "binary", maxLength: 30 }), { maxLength: 12 })
  .map((texts) => texts.map((text) => ({ method: "m", params: { sessionId: "s", content: { type: "text", text } } })));
/** Shorter than the limits that some tests set. */
const shortJson = fc.jsonValue().filter((value) => JSON.stringify(value).length < 1_000);
const cuts = fc.array(fc.nat(4_000), { maxLength: 60 });
/** A line that is not JSON, wherever it is cut off. */
const garbage = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes) => bytes.filter((byte) => byte !== 0x0a))
  .map((bytes) => Uint8Array.from([0x3e, ...bytes]));

function lines(parts: readonly (Uint8Array | string)[], newline = "\n"): Uint8Array {
  const pieces = parts.flatMap((part) => [
    typeof part === "string" ? encoder.encode(part) : part,
    encoder.encode(newline),
  ]);
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

describe("newline framing", () => {
  it("gives the same messages for any cut of the bytes", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(json, { maxLength: 12 }), chunks),
        cuts,
        fc.constantFrom("\n", "\r\n"),
        (values, at, newline) => {
          const texts = values.map((value) => JSON.stringify(value));
          const bytes = lines(texts, newline);
          const expected = texts.map((text) => JSON.parse(text) as unknown);
          const sizes = texts.map((text) => encoder.encode(text).length + newline.length - 1);
          for (const received of [read(bytes), read(bytes, at), read(bytes, everyByte(bytes))]) {
            expect(received.messages).toEqual(expected);
            expect(received.sizes).toEqual(sizes);
            expect(received.malformed).toEqual([]);
          }
        },
      ),
    );
  });

  it("skips garbage between messages and reports each line of it once", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(garbage, json), { maxLength: 8 }), cuts, (pairs, at) => {
        const bytes = lines(pairs.flatMap(([noise, value]) => [noise, JSON.stringify(value)]));
        const received = read(bytes, at);
        expect(received.messages).toEqual(pairs.map(([, value]) => JSON.parse(JSON.stringify(value))));
        expect(received.malformed.map(({ kind, size }) => ({ kind, size }))).toEqual(
          pairs.map(([noise]) => ({ kind: "not_json", size: noise.length })),
        );
      }),
    );
  });

  it("skips a line over the limit to its end, reports it once and continues", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), shortJson, cuts, (before, over, value, at) => {
        const limit = 2_000;
        const small = JSON.stringify("s".repeat(before));
        const large = JSON.stringify("L".repeat(limit - 1 + over)); // with its quotes at least one byte too long
        const bytes = lines([small, large, JSON.stringify(value), large, small]);
        const received = read(bytes, at, { maxMessageBytes: limit });
        const parsed = JSON.parse(JSON.stringify(value)) as unknown;
        expect(received.messages).toEqual([JSON.parse(small), parsed, JSON.parse(small)]);
        expect(received.malformed.map(({ kind }) => kind)).toEqual(["too_large", "too_large"]);
        for (const { size, excerpt } of received.malformed) {
          expect(size).toBeGreaterThan(limit);
          expect(excerpt).toBe(large.slice(0, 200));
        }
      }),
    );
  });

  it("accepts a line of exactly the limit", () => {
    const text = JSON.stringify("é".repeat(20));
    const limit = encoder.encode(text).length;
    for (const at of [[], [7], [limit], everyByte(encoder.encode(`${text}\n`))]) {
      expect(read(`${text}\n`, at, { maxMessageBytes: limit }).messages).toEqual(["é".repeat(20)]);
      expect(read(`${text}\n`, at, { maxMessageBytes: limit - 1 }).malformed).toMatchObject([{ kind: "too_large" }]);
    }
  });

  it.each([
    ["nodes", "[],", "more nodes"],
    ["levels", "[", "deeper"],
    ["levels of objects", '{"a":', "deeper"],
  ])("skips 60 MB of %s without parsing them, and continues", (_, unit, problem) => {
    const flood = encoder.encode(`{"jsonrpc":"2.0","id":7,"result":[${unit.repeat(60_000_000 / unit.length)}`);
    const received: unknown[] = [];
    const reader = new MessageReader({
      message: (value) => received.push(value),
      malformed: ({ kind, message, excerpt }) => received.push([kind, message, excerpt.slice(0, 34)]),
    });
    reader.push(flood);
    reader.push(encoder.encode("\n1\n"));
    expect(received).toEqual([
      ["too_large", expect.stringContaining(problem), '{"jsonrpc":"2.0","id":7,"result":['],
      1,
    ]);
  });

  it("has options for its limits of structure", () => {
    const options = { maxMessageDepth: 3, maxMessageNodes: 20 };
    const many = new Array(20).fill(0);
    const values = [[[[1]]], [[[["x".repeat(20)]]]], many, [...many, 0]];
    const received = read(lines(values.map((value) => JSON.stringify(value))), [], options);
    expect(received.messages).toEqual([values[0], many]);
    expect(received.malformed.map(({ kind }) => kind)).toEqual(["too_large", "too_large"]);
  });

  it("refuses a limit that is NaN, which would be no limit", () => {
    const sink = { message: () => {}, malformed: () => {} };
    expect(() => new MessageReader(sink, { maxMessageBytes: Number.NaN })).toThrow(
      new TypeError("options.maxMessageBytes must be a number from 0 to Infinity, not NaN"),
    );
  });

  it("survives any bytes at all", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), cuts, (bytes, at) => {
        const received = read(bytes, at);
        expect(received.messages).toEqual(read(bytes).messages);
      }),
      { numRuns: 500 },
    );
  });

  it("replaces invalid UTF-8 and leaves the neighbouring messages intact", () => {
    const bytes = Uint8Array.from([0x22, 0xff, 0xe6, 0xbc, 0x22, 0x0a, ...encoder.encode('"漢"\n'), 0x22, 0xf0, 0x9f]);
    for (const at of [[], everyByte(bytes)]) {
      const received = read(bytes, at);
      expect(received.messages).toEqual(["\ufffd\ufffd", "漢"]);
      expect(received.malformed).toMatchObject([{ kind: "not_json", excerpt: '"\ufffd' }]);
    }
  });

  it("ignores blank lines and a byte order mark", () => {
    const received = read("\ufeff\n\n  \t\r\n1\n\n\r\n2\n\r\n");
    expect(received.messages).toEqual([1, 2]);
    expect(received.malformed).toEqual([]);
  });

  it("reads a last line without newline", () => {
    expect(read("1\n{}").messages).toEqual([1, {}]);
    expect(read("1\n{").malformed).toMatchObject([{ kind: "not_json", excerpt: "{", size: 1 }]);
  });

  it("shows the prefix of malformed input, never all of it", () => {
    const [input] = read(`${"x".repeat(100_000)}\n`).malformed;
    expect(input).toEqual({
      kind: "not_json",
      message: "100000 bytes of input are not JSON and were skipped.",
      excerpt: "x".repeat(200),
      size: 100_000,
    });
  });

  it("delivers nothing after `stop`, even of the chunk it is reading", () => {
    const messages: unknown[] = [];
    const reader = new MessageReader({
      message(value) {
        messages.push(value);
        if (value === 2) reader.stop();
      },
      malformed: (input) => messages.push(input),
    });
    reader.push(encoder.encode("1\n2\n3\nx\n"));
    reader.push(encoder.encode("4\n"));
    reader.end();
    expect(messages).toEqual([1, 2]);
  });
});
