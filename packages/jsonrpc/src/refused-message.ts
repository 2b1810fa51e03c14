import { isRequestId } from "./envelope.js";
import { exceededBound } from "./json-depth.js";
import { type MessageLimits, problemOf } from "./message-limits.js";
import type { MalformedInput } from "./transport.js";
import { prefixOf } from "./whole-characters.js";

/** The number of characters of a method's name that an excerpt shows. */
const METHOD_CHARACTERS = 100;

/**
 * Creates the report about a message that exceeds the limits, for a transport that passes messages as values and has no
 * text. The report contains an excerpt: the beginning of the message's JSON text, including the id.
 */
export function refusedMessage(value: unknown, problem: string, size: number): MalformedInput {
  return { kind: "too_large", message: problem, excerpt: beginning(value), size };
}

/**
 * Checks a value that another thread or page has posted, which can be anything that the structured clone algorithm
 * copies. Returns the report for the receiver if the value exceeds a limit, or contains a value that JSON can't
 * represent, such as a typed array, a `Map` or a big integer.
 */
export function checkPostedMessage(value: unknown, limits: Required<MessageLimits>): MalformedInput | undefined {
  const exceeded = exceededBound(value, limits.maxMessageDepth, limits.maxMessageNodes, true);
  if (exceeded === undefined) return undefined;
  if (exceeded !== "type") return refusedMessage(value, problemOf(exceeded, limits), 0);
  const message = "A message contains a value that JSON can't represent and was skipped.";
  return { ...refusedMessage(value, message, 0), kind: "unserializable" };
}

function beginning(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  const { jsonrpc, id, method } = value as Record<string, unknown>;
  const members = {
    jsonrpc: typeof jsonrpc === "string" ? prefixOf(jsonrpc, METHOD_CHARACTERS) : undefined,
    id: isRequestId(id) ? id : undefined,
    method: typeof method === "string" ? prefixOf(method, METHOD_CHARACTERS) : undefined,
  };
  const rest = ["params", "result", "error"].find((name) => name in value);
  return `${JSON.stringify(members).slice(0, -1)}${rest === undefined ? "" : `,"${rest}":`}`;
}
