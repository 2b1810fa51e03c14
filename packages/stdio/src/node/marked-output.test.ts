import { describe, expect, it } from "vitest";
import { MarkedOutput } from "./marked-output.js";

/** Returns the text found in `text` when it arrives in chunks of `size` bytes. */
function find(text: string, size: number): string | undefined {
  const output = new MarkedOutput("#mark#");
  const bytes = Buffer.from(text);
  let found: string | undefined;
  for (let at = 0; at < bytes.length; at += size) found ??= output.push(bytes.subarray(at, at + size));
  return found;
}

describe("MarkedOutput", () => {
  it.each([1, 2, 5, 6, 7, 1_000])("finds the value between the first two marks in chunks of %i bytes", (size) => {
    expect(find("noise #mark #mark#é漢 {}#mark#rest#mark#", size)).toBe("é漢 {}");
    expect(find("#mark##mark#", size)).toBe("");
    expect(find("##mark#a#mar#mark#", size)).toBe("a#mar");
    expect(find("only one #mark# here", size)).toBeUndefined();
  });

  it("searches each byte once: 8 MiB in chunks of 16 bytes, before the mark and after it", () => {
    const output = new MarkedOutput("#mark#");
    const chunk = Buffer.from("0123456789#mark ");
    for (let count = 0; count < 262_144; count += 1) output.push(chunk);
    output.push(Buffer.from("#mark#"));
    for (let count = 0; count < 262_144; count += 1) output.push(chunk);
    expect(output.push(Buffer.from("#mark#"))).toHaveLength(262_144 * chunk.length);
    expect(output.bytes).toBe(2 * 262_144 * chunk.length + 12);
  });
});
