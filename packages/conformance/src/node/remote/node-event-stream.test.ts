import fc from "fast-check";
import { expect, it } from "vitest";
import { DialogueLog } from "../../dialogue.js";
import type { OpenReply } from "./http-exchange.js";
import { readEventStream } from "./node-event-stream.js";

/** Returns the events of a stream whose bytes arrive in these pieces. */
async function eventsOf(pieces: Iterable<Uint8Array>): Promise<string[]> {
  async function* body() {
    yield* pieces;
  }
  const open: OpenReply = { status: 200, headers: {}, setCookies: [], body: body(), close: () => {} };
  const stream = readEventStream(open, { ...open, body: "", seq: 0 }, "stream", new DialogueLog("test"));
  await stream.ended(60_000);
  return stream.events.map(({ data }) => data);
}

it("reads the same events wherever the bytes are cut, with every kind of line end", async () => {
  const text = 'data: {"a":1}\n\n: comment\r\n\r\ndata: é\r\ndata: second\r\n\r\nid: 1\rdata: cr\r\rdata:\n\n';
  const bytes = new TextEncoder().encode(text);
  const expected = ['{"a":1}', "é\nsecond", "cr", ""];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 30 }), async (cuts) => {
      const ends = [...cuts.sort((a, b) => a - b), bytes.length];
      const pieces = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
      expect(await eventsOf(pieces)).toEqual(expected);
    }),
  );
});

it("reads data with line separators of Unicode, and ignores fields with other names", async () => {
  const text = 'database: x\nevent: message\ndata:{"a":"\u2028\u2029"}\ndata-x\n\n';
  expect(await eventsOf([new TextEncoder().encode(text)])).toEqual(['{"a":"\u2028\u2029"}']);
});

it("reads each character of a long line once, and stops at the maximum length of an event", async () => {
  const piece = new TextEncoder().encode("x".repeat(64));
  function* endless() {
    yield new TextEncoder().encode("data: first\n\ndata: ");
    for (;;) yield piece;
  }
  expect(await eventsOf(endless())).toEqual(["first"]);
});

it("stops at an event with an endless number of empty lines", async () => {
  const lines = new TextEncoder().encode("data:\n".repeat(10_000));
  function* endless() {
    for (;;) yield lines;
  }
  expect(await eventsOf(endless())).toEqual([]);
});
