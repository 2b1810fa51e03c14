import type { MalformedInput } from "@acp-kit/jsonrpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageReader, type MessageReaderOptions } from "./message-reader.js";

interface Received {
  readonly messages: unknown[];
  readonly sizes: number[];
  readonly malformed: MalformedInput[];
  framing: "newline" | "content-length";
}

const encoder = new TextEncoder();

/** Reads `bytes`, cut after each of `cuts`, to the end. */
function read(bytes: Uint8Array | string, cuts: readonly number[] = [], options: MessageReaderOptions = {}): Received {
  const received: Received = { messages: [], sizes: [], malformed: [], framing: "newline" };
  const reader = new MessageReader(
    {
      message(value, size) {
        received.messages.push(value);
        received.sizes.push(size);
      },
      malformed: (input) => received.malformed.push(input),
    },
    {
      ...options,
      onContentLength: () => {
        received.framing = "content-length";
      },
    },
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

function framed(value: unknown, header = "Content-Length"): string {
  const text = JSON.stringify(value);
  return `${header}: ${encoder.encode(text).length}\r\n\r\n${text}`;
}

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
/** A line that is not JSON, wherever it is cut off; it never looks like a header. */
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

  it("has options for its limits of structure, in both framings", () => {
    const options = { maxMessageDepth: 3, maxMessageNodes: 20 };
    const many = new Array(20).fill(0);
    const values = [[[[1]]], [[[["x".repeat(20)]]]], many, [...many, 0]];
    for (const text of [values.map((value) => `${JSON.stringify(value)}\n`), values.map((value) => framed(value))]) {
      const received = read(text.join(""), [], options);
      expect(received.messages).toEqual([values[0], many]);
      expect(received.malformed.map(({ kind }) => kind)).toEqual(["too_large", "too_large"]);
    }
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

describe("Content-Length framing", () => {
  it("gives the same messages for any cut of the bytes, header order and case", () => {
    const header = fc.constantFrom("Content-Length", "content-length", "CONTENT-LENGTH", "Content-length ");
    const others = fc.subarray(["Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n", "X-Vendor: a:b\r\n"]);
    const newline = fc.constantFrom("\r\n", "\n");
    const message = fc.tuple(json, header, others, others, newline);
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), cuts, (messages, at) => {
        const text = messages
          .map(([value, name, before, after, end], index) => {
            const body = JSON.stringify(value);
            const first = index === 0 ? before.filter((line) => line.startsWith("Content")) : before;
            const headers = `${first.join("")}${name}: ${encoder.encode(body).length}\r\n${after.join("")}\r\n`;
            return headers.replaceAll("\r\n", end) + body;
          })
          .join("");
        const bytes = encoder.encode(text);
        const expected = messages.map(([value]) => JSON.parse(JSON.stringify(value)) as unknown);
        for (const received of [read(bytes), read(bytes, at), read(bytes, everyByte(bytes))]) {
          expect(received.messages).toEqual(expected);
          expect(received.malformed).toEqual([]);
          expect(received.framing).toBe("content-length");
        }
      }),
    );
  });

  it("is detected after a banner, but not after the first message", () => {
    const late = read(`Welcome!\nX-Banner: yes\n${framed({ a: 1 })}`);
    expect(late.messages).toEqual([{ a: 1 }]);
    expect(late.malformed.map(({ excerpt }) => excerpt)).toEqual(["Welcome!", "X-Banner: yes"]);

    const never = read(`{"a":1}\n${framed({ a: 2 })}\n`);
    expect(never.framing).toBe("newline");
    expect(never.messages).toEqual([{ a: 1 }, { a: 2 }]); // the body is a line by itself; the header is noise
    expect(never.malformed).toMatchObject([{ kind: "not_json", excerpt: "Content-Length: 7\r" }]);
  });

  it("survives thousands of malformed headers and reads the next valid one", () => {
    const broken = fc.oneof(
      fc.constantFrom(
        "Content-Length:\r\n\r\n",
        "Content-Length: -5\r\n\r\n",
        "Content-Length: 1e3\r\n\r\n",
        "Content-Length: 0x10\r\n\r\n",
        "Content-Length: 12 34\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "Content-Type: application/json\r\n\r\n",
        "Content-Length 5\r\n\r\n",
        "\r\n\r\n",
        '{"no":"header"}',
        `${"x".repeat(20_000)}`,
      ),
      fc.string({ unit: "binary", maxLength: 60 }).filter((text) => !/content-length/i.test(text)),
    );
    const first = framed("first");
    fc.assert(
      fc.property(fc.array(broken, { minLength: 1, maxLength: 5 }), json, cuts, (noise, value, at) => {
        // A line end before the valid header, or none: a body whose header was invalid has none.
        for (const end of ["", "\r\n"]) {
          const text = first + noise.join("") + end + framed(value) + framed("last");
          const received = read(text, at);
          expect(received.messages[0]).toBe("first");
          expect(received.messages.at(-1)).toBe("last");
          expect(received.messages.length).toBeLessThanOrEqual(3);
          for (const { kind, excerpt } of received.malformed) {
            // Noise may contain a length, and then the body that belongs to it
            expect(["invalid_header", "not_json"]).toContain(kind);
            expect(excerpt.length).toBeLessThanOrEqual(200);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("survives any bytes after a header, cut anywhere", () => {
    const bytes = fc.tuple(fc.nat(40), fc.uint8Array({ maxLength: 600 })).map(([length, noise]) => {
      return Uint8Array.from([...encoder.encode(`Content-Length: ${length}\r\n\r\n`), ...noise]);
    });
    fc.assert(
      fc.property(bytes, cuts, (input, at) => {
        const whole = read(input);
        const cut = read(input, at);
        expect(cut.messages).toEqual(whole.messages);
        expect(cut.malformed.map(({ kind }) => kind)).toEqual(whole.malformed.map(({ kind }) => kind));
      }),
      { numRuns: 500 },
    );
  });

  it("skips a body over the limit by its length and continues", () => {
    fc.assert(
      fc.property(cuts, (at) => {
        const received = read(framed("a") + framed("L".repeat(3_000)) + framed("b"), at, { maxMessageBytes: 2_000 });
        expect(received.messages).toEqual(["a", "b"]);
        expect(received.malformed).toMatchObject([{ kind: "too_large", excerpt: "Content-Length: 3002", size: 3_002 }]);
      }),
    );
    const cut = read(framed("a") + framed("L".repeat(3_000)).slice(0, 500), [], { maxMessageBytes: 2_000 });
    expect(cut.malformed.map(({ kind }) => kind)).toEqual(["too_large"]);
  });

  it("reports a body that is not JSON and one that the end of input cuts off", () => {
    expect(read("Content-Length: 4\r\n\r\n{no}").malformed).toMatchObject([{ kind: "not_json", excerpt: "{no}" }]);
    expect(read("Content-Length: 40\r\n\r\n{no}").malformed).toMatchObject([
      { kind: "invalid_header", excerpt: "{no}", size: 4, message: expect.stringContaining("36 bytes before the end") },
    ]);
    expect(read("Content-Length: 4").malformed).toMatchObject([{ kind: "invalid_header" }]);
  });
});
