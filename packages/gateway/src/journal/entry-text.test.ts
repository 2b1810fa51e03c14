import fc from "fast-check";
import { expect, it } from "vitest";
import { entryTextOf } from "./entry-text.js";
import type { JournalEntry } from "./journal-entry.js";

it("the text of an entry is that of JSON.stringify, for chunks of text and for values that resemble one", () => {
  const string = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("\u2028", '"\\\n', "\ud800"));
  const any = fc.jsonValue();
  /** A record with the members of a chunk, of which any may be missing, have another value, or have another place. */
  const like = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
    fc
      .shuffledSubarray([...Object.keys(members), "_meta", "__proto__", "toJSON"], { minLength: 0 })
      .chain((names) =>
        fc.tuple(
          ...names.map((name) =>
            ((Object.hasOwn(members, name) && members[name]) || any).map((value) => [name, value] as const),
          ),
        ),
      )
      .map((entries) =>
        JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`),
      );
  const sessionUpdate = fc.constantFrom("agent_message_chunk", "agent_thought_chunk");
  const chunk = (content: fc.Arbitrary<unknown>) =>
    fc.oneof(
      fc.record({ sessionUpdate, content }),
      fc.record({ sessionUpdate, content, messageId: string }),
      fc.record({ messageId: fc.oneof(string, any), sessionUpdate, content }),
    );
  const text = fc.record({ type: fc.constant("text"), text: string });
  const content = fc.oneof(text, like({ type: fc.constantFrom("text", "image"), text: fc.oneof(string, any) }), any);
  const update = fc.oneof(chunk(text), chunk(content), like({ sessionUpdate: fc.oneof(string, any), content }), any);
  const params = fc.oneof(fc.record({ sessionId: string, update }), like({ sessionId: string, update }));
  const method = fc.constantFrom("session/update", "_other");
  fc.assert(
    fc.property(params, method, fc.boolean(), (params, method, isOfVersion2) => {
      const entry = { type: "update", ...(isOfVersion2 && { version: 2 }), method, params } as JournalEntry;
      expect(entryTextOf(entry)).toBe(JSON.stringify(entry));
    }),
    { numRuns: 2_000 },
  );
});

it("entries of other types have the text of JSON.stringify", () => {
  const entry: JournalEntry = { type: "turn_ended", key: "k", outcome: { result: { stopReason: "end_turn" } } };
  expect(entryTextOf(entry)).toBe(JSON.stringify(entry));
});
