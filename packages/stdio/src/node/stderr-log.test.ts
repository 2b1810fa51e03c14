import { PassThrough } from "node:stream";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it } from "vitest";
import { StderrLog } from "./stderr-log.js";

async function logOf(chunks: Iterable<Buffer>, tailBytes: number, onLine?: (line: string) => void): Promise<StderrLog> {
  const stream = new PassThrough();
  const log = new StderrLog(stream, tailBytes, onLine);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await new Promise((resolve) => stream.once("end", resolve));
  return log;
}

function* repeat(text: string, count: number): Iterable<Buffer> {
  for (let each = 0; each < count; each += 1) yield Buffer.from(text);
}

describe("the log of standard error", () => {
  it("keeps the end, however the output is cut, and begins with a whole character", async () => {
    for (const size of [1, 2, 3, 7, 100]) {
      const bytes = Buffer.from("é漢😀".repeat(50));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const { tail } = await logOf(chunks, 20);
      expect("é漢😀".repeat(50).endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(tail)).toBeGreaterThan(16);
    }
    expect((await logOf([Buffer.from("abc")], 0)).tail).toBe("");
  });

  it("keeps single bytes in linear time, and no more than the limit", async () => {
    const log = await logOf(repeat("x", 300_000), 200_000);
    expect(log.tail).toHaveLength(200_000);
    const keep = (size: number) => logOf(repeat("x", size), Number.POSITIVE_INFINITY);
    expect(await growthOf(keep)).toBeLessThan(LINEAR);
  });

  it("hostile.standard-error: offers one endless line once, cut", async () => {
    const lines: string[] = [];
    const { tail } = await logOf(repeat("y".repeat(1_024), 32_768), 8_192, (line) => lines.push(line));
    expect(tail).toHaveLength(8_192);
    expect(lines).toEqual([expect.stringMatching(/^y{200} … \(a line over 65536 bytes, cut\)$/)]);
  });

  it.each<[string, () => unknown]>([
    ["throws", () => expect.unreachable()],
    ["rejects", () => Promise.reject(new Error("the hook has a bug"))],
  ])("quiet.hooks-may-fail: keeps the whole end although the listener %s", async (_, onLine) => {
    let count = 0;
    const { tail } = await logOf([Buffer.from("one\ntwo\n"), Buffer.from("three\n")], 100, () => {
      count += 1;
      return onLine();
    });
    expect(count).toBe(3);
    expect(tail).toBe("one\ntwo\nthree\n");
  });

  it("offers a flood of short lines one by one, without blank ones", async () => {
    let count = 0;
    await logOf(repeat("a\r\n\n".repeat(16_384), 16), 8_192, () => {
      count += 1;
    });
    expect(count).toBe(16_384 * 16);
  });
});
