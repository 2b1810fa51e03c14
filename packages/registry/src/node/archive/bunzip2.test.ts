import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bunzip2 } from "./bunzip2.js";

/** 60,000,000 zeros. */
const zeros = Buffer.from(
  "QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZpertMgBsAOAAwAAAEAAIIAAwzAUppoAKWwgBS8XckU4UJC5+SiMA",
  "base64",
);
const empty = Buffer.from("BZh9\x17rE8P\x90\0\0\0\0", "latin1");

async function decoded(...chunks: readonly Buffer[]): Promise<Buffer[]> {
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const decoded: Buffer[] = [];
  for await (const chunk of bunzip2(source())) decoded.push(chunk);
  return decoded;
}

/** Writes bits, given as texts of `0` and `1`, into bytes. */
function bytesOf(...bits: readonly string[]): Buffer {
  const all = bits.join("");
  return Buffer.from(
    (all.padEnd(Math.ceil(all.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)),
  );
}

/** A block of zeros with the given symbols: `0` and `10` are the bits of a run, `11` is the end. */
function block(symbols: string): Buffer {
  const hex = (text: string) =>
    [...text].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  const used = [`1${"0".repeat(15)}`, `1${"0".repeat(15)}`];
  const table = ["00001", "0", "10", "0", "0"];
  const tables = [...table, ...table];
  return bytesOf(
    hex("425a6839"),
    hex("314159265359"),
    hex("00000000"),
    "0",
    hex("000000"),
    ...used,
    "010",
    "000000000000001",
    "0",
    ...tables,
    symbols,
  );
}

describe("bunzip2", () => {
  it("yields a block of 46 MB in small chunks, each after a turn of the event loop", async () => {
    let turns = 0;
    let immediate = setImmediate(function next() {
      turns += 1;
      immediate = setImmediate(next);
    });
    const chunks = await decoded(zeros);
    clearImmediate(immediate);
    expect(chunks.reduce((sum, { length }) => sum + length, 0)).toBe(60_000_000);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
    expect(turns).toBeGreaterThanOrEqual(chunks.length - 1);
    expect(chunks.every((chunk) => chunk.every((byte) => byte === 0))).toBe(true);
  });

  it("reads joined streams in pieces of any size, and ignores bytes after them", async () => {
    const bytes = Buffer.concat([empty, zeros, empty, Buffer.from("trailing")]);
    const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
    const size = async (...chunks: Buffer[]) => (await decoded(...chunks)).reduce((sum, { length }) => sum + length, 0);
    expect(await size(...pieces)).toBe(60_000_000);
    expect(await size(empty)).toBe(0);
  });

  it.each([
    ["no bzip2", Buffer.from("<html>"), "not bzip2"],
    ["nothing", Buffer.alloc(0), "ends too early"],
    ["cut data", zeros.subarray(0, 70), "ends too early"],
    ["another checksum", Buffer.concat([zeros.subarray(0, 11), Buffer.from([1]), zeros.subarray(12)]), "checksum"],
    ["a run whose length overflows 32 bits", block("0".repeat(40)), "longer than its stream allows"],
    ["a run that is longer than a block", block(`${"10".repeat(20)}11`), "longer than its stream allows"],
    ["more symbols than tables", block("0".repeat(4) + "11".repeat(0) + "10".repeat(3)), "ends too early"],
    ["an empty block", block("11"), "outside of its data"],
  ])("refuses %s", async (_, bytes, message) => {
    await expect(decoded(bytes)).rejects.toThrow(message);
  });

  it.each([0, 1, 255, 100_000, 1_000_000])("reads %i random, repeated and equal bytes of bzip2", async (length) => {
    const texts = [randomBytes(length), Buffer.alloc(length, "abcab"), Buffer.alloc(length, 7)];
    for (const text of texts) {
      for (const level of ["-1", "-9"]) {
        let packed: Buffer;
        try {
          packed = execFileSync("bzip2", ["-c", level], { input: text, maxBuffer: 10_000_000 });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
          console.log("Not run: comparing with bzip2, because there is no bzip2.");
          return;
        }
        expect(Buffer.concat(await decoded(packed)).equals(text)).toBe(true);
      }
    }
  });
});
