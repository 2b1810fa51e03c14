import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cursorOf, positionOf } from "./cursor.js";
import { HistoryReplay } from "./history.js";
import type { JournalEntry } from "./journal-entry.js";

/** Texts below and above the size up to which chunks are joined, with deeply nested metadata. */
const longText = fc
  .tuple(fc.integer({ min: 1_000, max: 20_000 }), fc.constantFrom("x", "é", "😀", "\n"))
  .map(([length, unit]) => unit.repeat(length / unit.length));
const deep = fc.integer({ min: 20, max: 200 }).map((depth) => {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return { value };
});

const kinds = ["agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "plan"];
const update = fc.record({
  sessionUpdate: fc.constantFrom(...kinds),
  content: fc.oneof(
    fc.record({
      type: fc.constant("text"),
      text: fc.oneof(
        { arbitrary: fc.string({ unit: "binary", maxLength: 20 }), weight: 9 },
        { arbitrary: longText, weight: 1 },
      ),
    }),
    fc.record({ type: fc.constant("image"), data: fc.string() }),
  ),
  messageId: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
  _meta: fc.option(fc.oneof(fc.constant({ a: 1 }), deep), { nil: undefined, freq: 8 }),
});

interface Chunk {
  readonly sessionUpdate: string;
  readonly messageId?: string | undefined;
  readonly content: { readonly type: string; readonly text?: string };
}

/** Every character of the texts, with the message that it belongs to. */
const characters = (updates: readonly Chunk[]): string[] =>
  updates.flatMap(({ sessionUpdate, messageId, content }) =>
    [...(content.text ?? "\0")].map((character) => `${sessionUpdate} ${messageId} ${character}`),
  );

function replayOf(updates: readonly object[]): Chunk[] {
  const replay = new HistoryReplay("s");
  const entryOf = (update: object): JournalEntry => ({
    type: "update",
    method: "session/update",
    params: { sessionId: "s", update: JSON.parse(JSON.stringify(update)) as object },
  });
  return [
    ...updates.flatMap((update, i) => [...replay.take({ seq: i + 1, epoch: 1, entry: entryOf(update), text: "" })]),
    ...replay.end(),
  ].map((replayed) => replayed.update as Chunk);
}

describe("a replay", () => {
  test("contains every character of the journal once, in order and in its own message", () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 40 }), (updates) => {
        expect(characters(replayOf(updates))).toEqual(characters(updates as Chunk[]));
      }),
    );
  });

  test("joins the chunks of one message, up to a limit", () => {
    const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(1_000) } };
    const texts = replayOf(Array.from({ length: 200 }, () => chunk)).map(({ content }) => content.text?.length ?? 0);
    expect(texts).toEqual([65_000, 65_000, 65_000, 5_000]);
  });

  test("gateway.bounded-memory: keeps no long chunk after its entry, because the memory of an entry counts only until the next one is read", () => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(70_000) } };
    const replay = new HistoryReplay("s");
    const entry = { type: "update", method: "session/update", params: { sessionId: "s", update } } as const;
    expect([...replay.take({ seq: 1, epoch: 1, entry, text: "" })]).toHaveLength(1);
    expect([...replay.end()]).toEqual([]);
  });
});

describe("a cursor", () => {
  test("contains its position, and any other text is invalid", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (seq, epoch) => {
        expect(positionOf(cursorOf({ seq, epoch }))).toEqual({ seq, epoch });
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.anything()), (value) => {
        const position = positionOf(value);
        if (position !== undefined) expect(cursorOf(position)).toBe(value);
      }),
    );
    for (const text of ["j00.1", "jA.1", "j1.1 ", "j1", `j${"z".repeat(12)}.1`, "jzzzzzzzzzzz.1"])
      expect(positionOf(text)).toBeUndefined();
  });
});
