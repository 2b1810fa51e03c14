import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { cursorOf } from "../journal/cursor.js";
import type { JournalEntry } from "../journal/journal-entry.js";
import { type RecordedEntry, storedEntry } from "../journal/recorded-entry.js";
import { metaKeys } from "./meta.js";
import { updateParamsOf, updateVersionOf } from "./update-params.js";

const at = { seq: 1_234, epoch: 7 };
const recordedFrom = (entry: JournalEntry): RecordedEntry => ({ ...at, entry, text: JSON.stringify(entry) });
const updateEntry = (more: object, method = "session/update"): JournalEntry => ({
  type: "update",
  method,
  params: { ...more, sessionId: "s" },
});

describe("the params of an update, as a part of the entry's text", () => {
  test("are the params of the entry, with the cursor", () => {
    const more = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "sessionId")), fc.jsonValue());
    fc.assert(
      fc.property(more, fc.boolean(), (more, sendsCursors) => {
        const { _meta: _, ...plain } = more;
        const entry = updateEntry(plain);
        const text = updateParamsOf(recordedFrom(entry), sendsCursors, 1)?.text;
        const { params } = entry as Extract<JournalEntry, { type: "update" }>;
        const meta = { _meta: { [metaKeys.cursor]: cursorOf(at) } };
        expect(JSON.parse(text as string)).toEqual(
          JSON.parse(JSON.stringify(sendsCursors ? { ...params, ...meta } : params)),
        );
      }),
    );
  });

  test("a nested `_meta` is not parsed twice, and stays where it is", () => {
    const recorded = recordedFrom(updateEntry({ update: { _meta: { theirs: true } } }));
    const text = updateParamsOf(recorded, true, 1)?.text as string;
    expect(JSON.parse(text)).toMatchObject({
      update: { _meta: { theirs: true } },
      _meta: { [metaKeys.cursor]: cursorOf(at) },
    });
  });

  test("an entry of the engine is not parsed for them, and a damaged one is not JSON", () => {
    const damaged = storedEntry({ ...at, text: '{"type":"update","method":"session/update","params":{"a":}' });
    expect(updateVersionOf(damaged)).toBe(1);
    expect(() => damaged.entry).toThrow(expect.objectContaining({ code: "corrupt" }));
  });

  it("are unknown if the cursor must be added to a `_meta` of the agent", () => {
    const recorded = recordedFrom(updateEntry({ _meta: { theirs: true } }));
    expect(updateParamsOf(recorded, true, 1)).toBeUndefined();
    expect(JSON.parse(updateParamsOf(recorded, false, 1)?.text as string)).toEqual({
      _meta: { theirs: true },
      sessionId: "s",
    });
  });

  it("are unknown for other entries, other methods, and texts in another form", () => {
    expect(updateParamsOf(recordedFrom({ type: "session_lost", message: "gone" }), true, 1)).toBeUndefined();
    expect(updateParamsOf(recordedFrom(updateEntry({}, "_x/update")), true, 1)).toBeUndefined();
    const spaced = JSON.stringify(updateEntry({}), null, 1);
    expect(updateParamsOf({ ...at, entry: updateEntry({}), text: spaced }, true, 1)).toBeUndefined();
  });

  it("never contain a line end, even if the engine's text does", () => {
    const { text } = storedEntry({
      ...at,
      text: JSON.stringify(updateEntry({ update: {} })).replace('"update":{', '"update":\n{'),
    });
    expect(text).not.toContain("\n");
  });
});
