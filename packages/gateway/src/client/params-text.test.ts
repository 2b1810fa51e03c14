import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { cursorOf } from "../journal/cursor.js";
import { recordedOf } from "../journal/feed.js";
import type { JournalEntry, RecordedEntry } from "../journal/journal-entry.js";
import { metaKeys } from "./meta.js";
import { paramsTextOf } from "./params-text.js";

const at = { seq: 1_234, epoch: 7 };
const recordedFrom = (entry: JournalEntry): RecordedEntry => ({ ...at, entry, text: JSON.stringify(entry) });
const updateEntry = (more: object, method = "session/update"): JournalEntry => ({
  type: "update",
  method,
  params: { ...more, sessionId: "s" },
});

describe("the text of an update's params", () => {
  test("is the JSON text of the params, with the cursor", () => {
    const more = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "sessionId")), fc.jsonValue());
    fc.assert(
      fc.property(more, fc.boolean(), (more, sendsCursors) => {
        const { _meta: _, ...plain } = more;
        const entry = updateEntry(plain);
        const text = paramsTextOf(recordedFrom(entry), sendsCursors ? at : undefined);
        const { params } = entry as Extract<JournalEntry, { type: "update" }>;
        const meta = { _meta: { [metaKeys.cursor]: cursorOf(at) } };
        expect(JSON.parse(text as string)).toEqual(
          JSON.parse(JSON.stringify(sendsCursors ? { ...params, ...meta } : params)),
        );
      }),
    );
  });

  it("is unknown if the cursor must be added to a `_meta` of the agent", () => {
    const recorded = recordedFrom(updateEntry({ _meta: { theirs: true } }));
    expect(paramsTextOf(recorded, at)).toBeUndefined();
    expect(JSON.parse(paramsTextOf(recorded, undefined) as string)).toEqual({
      _meta: { theirs: true },
      sessionId: "s",
    });
  });

  it("is unknown for other entries, other methods, and texts in another form", () => {
    expect(paramsTextOf(recordedFrom({ type: "session_lost", message: "gone" }), at)).toBeUndefined();
    expect(paramsTextOf(recordedFrom(updateEntry({}, "_x/update")), at)).toBeUndefined();
    const spaced = JSON.stringify(updateEntry({}), null, 1);
    expect(paramsTextOf({ ...at, entry: updateEntry({}), text: spaced }, at)).toBeUndefined();
  });

  it("never contains a line end, even if the engine's text does", () => {
    const { text } = recordedOf({
      ...at,
      text: JSON.stringify(updateEntry({ update: {} })).replace('"update":{', '"update":\n{'),
    });
    expect(text).not.toContain("\n");
  });
});
