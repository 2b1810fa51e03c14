import { JsonText } from "@acp-kit/jsonrpc/internal";
import { cursorOf } from "../journal/cursor.js";
import { BEGIN, BEGIN_OF_V2 } from "../journal/entry-text.js";
import type { UpdateEntry } from "../journal/journal-entry.js";
import type { RecordedEntry } from "../journal/recorded-entry.js";
import type { ProtocolVersion } from "../version.js";
import { metaKeys } from "./meta.js";

const BEGIN_OF_UPDATE = `${BEGIN}{"`;
const BEGIN_OF_V2_UPDATE = `${BEGIN_OF_V2}{"`;
/** Where the two beginnings differ, and the character of version 2 there. */
const VERSION_AT = '{"type":"update","'.length;
const VERSION = "v".charCodeAt(0);

/**
 * Returns the version of an entry that is a notification `session/update`; `undefined` for other entries. Compares only
 * the beginning of its text, which is the same in all such entries, because gateways write them with `JSON.stringify`.
 * Parsing or scanning would find the same members, but is slower, and this function runs for each entry and each
 * client.
 */
export function updateVersionOf({ text }: RecordedEntry): ProtocolVersion | undefined {
  const version = text.charCodeAt(VERSION_AT) === VERSION ? 2 : 1;
  const begin = version === 1 ? BEGIN_OF_UPDATE : BEGIN_OF_V2_UPDATE;
  return text.slice(0, begin.length) === begin ? version : undefined; // `startsWith` is slower
}

/**
 * Returns the params of `session/update` for an entry, cut out of the entry's text, because parsing and serializing the
 * entry is slower. With `hasCursor`, the params contain the position of the entry. Returns `undefined` if the entry is
 * no such update in this version, or if the cursor must be added to a `_meta` of the agent.
 */
export function updateParamsOf(
  recorded: RecordedEntry,
  hasCursor: boolean,
  version: ProtocolVersion,
): JsonText | undefined {
  if (updateVersionOf(recorded) !== version) return undefined;
  const { text } = recorded;
  const begin = version === 1 ? BEGIN.length : BEGIN_OF_V2.length;
  if (!hasCursor) return new JsonText(text.slice(begin, -1));
  if (text.includes('"_meta"') && "_meta" in (recorded.entry as UpdateEntry).params) return undefined;
  return new JsonText(`${text.slice(begin, -2)},"_meta":{"${metaKeys.cursor}":"${cursorOf(recorded)}"}}`);
}
