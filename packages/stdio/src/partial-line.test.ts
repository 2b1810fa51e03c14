import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextDecoder } from "./decode-text.js";
import { PartialLine } from "./partial-line.js";

const decode = createTextDecoder();
const text = fc.string({ unit: "binary", maxLength: 200 }).map((characters) => new TextEncoder().encode(characters));
const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });

/** Appends the bytes in pieces of these lengths, again and again from the first. */
function append(line: PartialLine, bytes: Uint8Array, lengths: readonly number[]): void {
  for (let start = 0, next = 0; start < bytes.length; next += 1) {
    const end = Math.min(bytes.length, start + (lengths[next % lengths.length] ?? 1));
    line.append(bytes, start, end);
    start = end;
  }
}

describe("PartialLine", () => {
  it("gives the text of its bytes, however they arrive and wherever its blocks end", () => {
    fc.assert(
      fc.property(text, pieces, fc.integer({ min: 4, max: 64 }), (bytes, lengths, blockBytes) => {
        const line = new PartialLine(decode, blockBytes);
        append(line, bytes, lengths);
        expect(line.size).toBe(bytes.length);
        expect(line.take()).toBe(decode(bytes, 0, bytes.length));
        expect([line.size, line.take()]).toEqual([0, ""]);
      }),
    );
  });

  it("keeps the characters around invalid bytes", () => {
    fc.assert(
      fc.property(text, fc.uint8Array({ maxLength: 20 }), text, pieces, (before, noise, after, lengths) => {
        const line = new PartialLine(decode, 16);
        append(line, Uint8Array.from([...before, 0x0a, ...noise, 0x0a, ...after]), lengths);
        const given = line.take();
        expect(given.startsWith(`${decode(before, 0, before.length)}\n`)).toBe(true);
        expect(given.endsWith(`\n${decode(after, 0, after.length)}`)).toBe(true);
      }),
    );
  });

  it("shows the first characters, of bytes and of text", () => {
    for (const blockBytes of [4, 1_000]) {
      const line = new PartialLine(decode, blockBytes);
      append(line, new TextEncoder().encode("abcdefghij"), [3]);
      expect(line.head(800)).toContain("abc");
      expect(line.head(2)).toBe("ab");
    }
  });
});
