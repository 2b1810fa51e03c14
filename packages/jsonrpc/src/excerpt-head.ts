import { isRequestId } from "./envelope.js";
import type { RequestId } from "./message.js";

/** The id and the kind of a message, read from its beginning. */
export interface ExcerptHead {
  readonly id: RequestId;
  readonly kind: "request" | "response";
}

const version = String.raw`(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?`;
const id = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*,\s*`;
const method = String.raw`"method"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*`;
const head = new RegExp(
  String.raw`^\s*\{\s*${version}(?:${id}${version}"(method|result|error)"|${method}${version}${id})`,
);

/**
 * Reads the id from the beginning of a message that is too large, so that its sender can get an error. It accepts an id
 * only among the first members, where serializers write it, because a later id may belong to a nested object.
 */
export function excerptHead(excerpt: string): ExcerptHead | undefined {
  const match = head.exec(excerpt);
  const text = match?.[1] ?? match?.[3];
  if (match === null || text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRequestId(value)) return undefined;
    return { id: value, kind: match[2] === "result" || match[2] === "error" ? "response" : "request" };
  } catch {
    return undefined;
  }
}
