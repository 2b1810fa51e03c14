import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { OutputTail } from "./output-tail.js";

const texts = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fc.string({ unit: "grapheme" }) },
    { weight: 10, arbitrary: fc.constantFrom("ä", "€", "😀", "\n", "a".repeat(50)) },
    // One write, far longer than the limit.
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("a", "€", "😀"), fc.nat(5_000)).map(([each, n]) => each.repeat(n)),
    },
  ),
);

describe("the end of an output", () => {
  it("[TERM-07] [TERM-08] is the longest end within the limit that begins with a whole character", () => {
    fc.assert(
      fc.property(texts, fc.nat(64), (parts, limit) => {
        const tail = new OutputTail(limit);
        for (const part of parts) tail.append(part);
        const written = Buffer.from(parts.join(""));
        const output = tail.toString();
        const bytes = Buffer.from(output);
        expect(bytes.length).toBeLessThanOrEqual(limit);
        expect(written.subarray(written.length - bytes.length).equals(bytes)).toBe(true);
        expect(tail.truncated).toBe(bytes.length < written.length);
        // Every longer end that begins with a whole character exceeds the limit.
        const characters = [...written.toString()];
        const shown = [...output].length;
        const next = characters.slice(characters.length - shown - 1).join("");
        if (shown < characters.length) expect(Buffer.byteLength(next)).toBeGreaterThan(limit);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("[TERM-08] within %d bytes of ä€😀 is valid", (limit) => {
    const tail = new OutputTail(limit);
    for (const character of "xä€😀") tail.append(character);
    expect(Buffer.byteLength(tail.toString())).toBeLessThanOrEqual(limit);
    expect("xä€😀".endsWith(tail.toString())).toBe(true);
    expect(tail.truncated).toBe(true);
  });

  it("takes time in proportion to the output, however small the pieces are", () => {
    const tail = new OutputTail(100_000);
    for (let index = 0; index < 1_000_000; index++) tail.append("x");
    expect(tail.toString()).toBe("x".repeat(100_000));
  });
});
