import { headerNames } from "./header-names.js";

/** The prefix of an encoded id, as RFC 8187 writes text in headers. */
const PREFIX = "UTF-8''";

/**
 * Ids that a header can't carry unchanged: it has no characters above 0xff and no control characters, and loses spaces
 * at its ends. An id with the prefix looks encoded.
 */
const NEEDS_ENCODING = /[^\x20-\x7e\x80-\xff]|^\s|\s$|^utf-8''/i;

/** Returns the header `Acp-Session-Id` of a request. Agents choose the ids, with any characters. */
export function sessionHeader(sessionId: string): Record<string, string> {
  // Half a surrogate pair has no encoding. The server refuses the other character, because the ids in the header and in
  // the message differ.
  const value = NEEDS_ENCODING.test(sessionId)
    ? PREFIX + encodeURIComponent(sessionId.replace(/\p{Surrogate}/gu, "\ufffd"))
    : sessionId;
  return { [headerNames.session]: value };
}

/**
 * Returns the session id in the value of the header.
 *
 * @throws {URIError} when the value has the prefix of an encoded id, but is not encoded.
 */
export function readSessionHeader(value: string): string {
  return value.slice(0, PREFIX.length).toUpperCase() === PREFIX
    ? decodeURIComponent(value.slice(PREFIX.length))
    : value;
}
