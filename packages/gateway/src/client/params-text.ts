import type { Position } from "../engine/journal-page.js";
import { cursorOf } from "../journal/cursor.js";
import type { RecordedEntry } from "../journal/journal-entry.js";
import { metaKeys } from "./meta.js";

/** The begin of the JSON text of an entry with an update of a session, up to the first member of its params. */
const begin = '{"type":"update","method":"session/update","params":{"';
/** The part of {@link begin} before the params. */
const before = begin.length - '{"'.length;

/**
 * Returns the JSON text of an update's params, with a cursor in `_meta` if `cursor` is given. It is a part of the entry's text, because serializing every
 * update a second time is a seventh of the time that the update takes in a gateway. Returns `undefined` if the params must be serialized.
 */
export function paramsTextOf({ entry, text }: RecordedEntry, cursor: Position | undefined): string | undefined {
  if (entry.type !== "update" || !text.startsWith(begin)) return undefined;
  if (cursor === undefined) return text.slice(before, -1);
  if ("_meta" in entry.params) return undefined;
  return `${text.slice(before, -2)},"_meta":{"${metaKeys.cursor}":"${cursorOf(cursor)}"}}`;
}
