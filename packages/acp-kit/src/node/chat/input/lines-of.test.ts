import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { linesOf } from "./lines-of.js";

/** The lines of a stream that arrives in these parts. */
async function lines(...parts: readonly (string | Buffer)[]): Promise<string[]> {
  const all: string[] = [];
  for await (const line of linesOf(Readable.from(parts, { objectMode: false }))) all.push(line);
  return all;
}

it("splits at line feeds, with or without a carriage return, and nowhere else", async () => {
  expect(await lines("one\r\ntwo\u2028still two\u2029\u0085\n\n", "three\rfour\n")).toEqual([
    "one",
    "two\u2028still two\u2029\u0085",
    "",
    "three\rfour",
  ]);
});

it("joins chunks that end inside a line or inside a character", async () => {
  const bytes = Buffer.from("\u2028");
  expect(await lines("o", "ne\r", "\ntw", bytes.subarray(0, 1), bytes.subarray(1), "o")).toEqual(["one", "tw\u2028o"]);
});

it("yields no line for an empty input", async () => {
  expect(await lines()).toEqual([]);
  expect(await lines("\n")).toEqual([""]);
});
