import type { IncomingToolCallUpdate } from "@acp-kit/types";

/** Returns whether a value says nothing: it is absent or `null`, or an empty object, list or text. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

/**
 * Returns the tool call of a permission request without its empty members. Some agents repeat the tool call in the
 * request with `rawInput: {}`, which must not hide the input that they sent earlier.
 */
export function withoutEmptyMembers(call: IncomingToolCallUpdate): IncomingToolCallUpdate {
  return Object.fromEntries(Object.entries(call).filter(([, value]) => !isEmptyValue(value))) as IncomingToolCallUpdate;
}
