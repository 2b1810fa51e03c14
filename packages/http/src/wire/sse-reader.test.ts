import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SseReader } from "./sse-reader.js";
import { eventOf } from "./sse-writer.js";

/** The reports of a reader for a list of chunks. */
function read(chunks: readonly (string | Uint8Array)[], maxBytes = 1_000) {
  const events: string[] = [];
  const ids: (string | undefined)[] = [];
  const comments: string[] = [];
  const skipped: [problem: string, excerpt: string, size: number][] = [];
  const reader = new SseReader(
    {
      event: (data, _, id) => {
        events.push(data);
        ids.push(id);
      },
      comment: (text) => comments.push(text),
      tooLarge: (problem, excerpt, size) => skipped.push([problem, excerpt, size]),
    },
    maxBytes,
  );
  for (const chunk of chunks) {
    if (typeof chunk === "string") reader.pushText(chunk);
    else reader.push(chunk);
  }
  return { events, ids, comments, skipped };
}

describe("server-sent events", () => {
  it("are read from chunks of any size, with any line ends", () => {
    const piece = fc.oneof(
      fc.record({ event: fc.json() }),
      fc.record({ comment: fc.stringMatching(/^[\w é€😀]{0,10}$/u) }),
    );
    const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(fc.array(piece), lineEnd, fc.array(fc.nat(5_000)), (pieces, end, cuts) => {
        const text = pieces.map((one) => ("event" in one ? eventOf(one.event) : `: ${one.comment}\n\n`)).join("");
        const bytes = new TextEncoder().encode(text.replaceAll("\n", end));
        const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...at].map((start, index) => bytes.slice(start, at[index] ?? bytes.length));
        const { events, comments } = read(chunks, 100_000);
        expect(events).toEqual(pieces.flatMap((one) => ("event" in one ? [one.event] : [])));
        expect(comments).toEqual(pieces.flatMap((one) => ("comment" in one ? [one.comment] : [])));
      }),
    );
  });

  it.each(["\n", "\r"])("are read in linear time from a chunk of line ends %j", async (end) => {
    const work = (size: number) => expect(read([`${end.repeat(size)}data: x${end}${end}`]).events).toEqual(["x"]);
    expect(await growthOf(work)).toBeLessThan(LINEAR);
  });

  it("join the lines of one event, and skip other fields", () => {
    const text = "\ufeffevent: message\nid: 7\nretry: 10\ndata: {\ndata:}\n\ndata\n\n:\n\nunknown\n\n";
    const { events, comments, skipped } = read([new TextEncoder().encode(text)]);
    expect({ events, comments, skipped }).toEqual({ events: ["{\n}"], comments: [""], skipped: [] });
  });

  it("are not reported before the empty line that ends them", () => {
    expect(read(["data: 1\n"]).events).toEqual([]);
  });

  it("above the size limit are skipped and not kept in memory, in one line or many, and the next event is read", () => {
    const long = "x".repeat(5_000);
    for (const chunks of [
      [`data: ${long}\n\n`],
      ["data: ", ...long, "\n\n"],
      Array.from({ length: 600 }, () => `data: ${long.slice(0, 10)}\n`).concat("\n"),
    ]) {
      const { events, skipped } = read([...chunks, "data: 1\n\n"]);
      expect(events).toEqual(["1"]);
      const problem = "is larger than the limit of 1000 bytes";
      expect(skipped).toEqual([[problem, expect.stringMatching(/^x{10,200}/), expect.any(Number)]]);
      expect(skipped[0]?.[2]).toBeGreaterThan(1_000);
    }
  });

  it("above the limit of lines are skipped, because a line costs more memory than its characters", () => {
    const { events, skipped } = read(["data: a\n", "data\n".repeat(70_000), "\ndata: 1\n\n"], 1_000_000);
    expect(events).toEqual(["1"]);
    expect(skipped).toEqual([
      ["has more lines than the limit of 65536", expect.stringMatching(/^a/), expect.any(Number)],
    ]);
  });

  it("have the last id, also of an event without data; an id that a header can't carry is ignored", () => {
    const unusable = ["a\0", "a b", "é", "x".repeat(2_000), ""].map((id) => `id: ${id}\n`).join("");
    const text = `data: 1\n\nid: a.1\ndata: 2\n\nid:b\n\ndata: 3\n${unusable}\n`;
    expect(read([text])).toMatchObject({ events: ["1", "2", "3"], ids: [undefined, "a.1", "b"] });
  });
});
