import type { RequestId } from "./message.js";

/** What a received JSON value is, by its envelope alone. */
export type Envelope = "request" | "notification" | "response" | InvalidEnvelope;

/** A JSON value that is no JSON-RPC message. `id` is what an error answer has to carry. */
export interface InvalidEnvelope {
  readonly id: RequestId;
  readonly reason: string;
  /** The peer meant a response: answering it would only make noise. */
  readonly response: boolean;
}

/** Request ids are null, strings and integers; an integer that a double can't hold exactly could not be echoed truthfully. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value) || value === null;
}

/**
 * Classifies by the members, in the order that costs a valid message least.
 *
 * A `jsonrpc` member other than `"2.0"` makes a request or notification invalid; a response is taken all the same,
 * because refusing it would leave its request without an end.
 *
 * @see https://www.jsonrpc.org/specification
 */
export function classify(value: unknown): Envelope {
  if (typeof value !== "object" || value === null) return invalid(null, "a message is a JSON object");
  if (Array.isArray(value)) return invalid(null, "batches are not part of the protocol: send one message at a time");
  const { jsonrpc, id, method } = value as Record<string, unknown>;
  if (method !== undefined) {
    if (id === undefined) {
      if (jsonrpc === "2.0" && typeof method === "string") return "notification";
      return { id: null, reason: describe(jsonrpc, method), response: true }; // a broken notification is not answered either
    }
    if (!isRequestId(id)) return invalid(null, "`id` must be a string or an integer between -(2^53-1) and 2^53-1");
    if (jsonrpc === "2.0" && typeof method === "string") return "request";
    return invalid(id, describe(jsonrpc, method));
  }
  if ("result" in value || "error" in value) return "response";
  return invalid(isRequestId(id) && id !== undefined ? id : null, "a message has a `method`, a `result` or an `error`");
}

function describe(jsonrpc: unknown, method: unknown): string {
  return jsonrpc === "2.0" ? `\`method\` must be a string, not ${typeof method}` : '`jsonrpc` must be "2.0"';
}

function invalid(id: RequestId, reason: string): InvalidEnvelope {
  return { id, reason, response: false };
}
