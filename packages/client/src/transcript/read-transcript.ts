import { isJsonObject, messageLimitDefaults, withinDepth } from "@acp-kit/protocol/internal";
import type { TranscriptSnapshot } from "./transcript-snapshot.js";

/**
 * The maximum depth of a snapshot: the limit for messages plus 8 levels, because a snapshot puts the values of updates
 * into more objects and lists.
 */
const MAX_DEPTH = messageLimitDefaults.maxMessageDepth + 8;

/**
 * Reads a transcript snapshot from parsed JSON that this library has written, also in the format of version 1, to which
 * version 2 only adds members. It does not validate each member. Parts of values that are nested too deep are left out.
 *
 * @throws {TypeError} when the value is not a transcript, or has a version that this library can't read.
 */
export function readTranscript(value: unknown): TranscriptSnapshot {
  if (!isJsonObject(value))
    throw new TypeError(`The value is not a transcript: it must be an object, not ${typeName(value)}`);
  if (value.version !== 1 && value.version !== 2) {
    const found = value.version === undefined ? "has no version" : `is of version ${String(value.version)}`;
    throw new TypeError(`This transcript ${found}, but this library reads versions 1 and 2`);
  }
  for (const name of ["entries", "turns", "commands"]) {
    if (!Array.isArray(value[name])) throw new TypeError(`The value is not a transcript: "${name}" must be an array`);
  }
  for (const name of ["terminals", "usage"]) {
    if (!isJsonObject(value[name])) throw new TypeError(`The value is not a transcript: "${name}" must be an object`);
  }
  const snapshot = withinDepth(value as unknown as TranscriptSnapshot, MAX_DEPTH);
  return snapshot.version === 2 ? snapshot : { ...snapshot, version: 2 };
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
