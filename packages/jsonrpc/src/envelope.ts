import type { RequestId } from "./message.js";

/** The kind of a received JSON value, judged only by `jsonrpc`, `id`, `method`, `result` and `error`. */
export type Envelope = "request" | "notification" | "response" | InvalidEnvelope;

/** A JSON value that is not a JSON-RPC message. */
export interface InvalidEnvelope {
  /** The id for the error response: the id of the invalid value, or `null` if it could not be read. */
  readonly id: RequestId;
  readonly reason: string;
  /**
   * The kind of message that the value resembles most. An object with a method but no id resembles a `notification`,
   * and gets no error response; an object without a method resembles a `response`.
   */
  readonly likely: "request" | "notification" | "response";
  /** Whether the value has a `jsonrpc` member. A JSON object without this member may be a log line. */
  readonly namesProtocol: boolean;
}

/**
 * Returns whether a value can be a request id: null, a string or an integer. An integer that a double can't represent
 * exactly is refused, because the response could not repeat it.
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value) || value === null;
}

/**
 * Returns the kind of a received JSON value. The checks are in the order that is cheapest for a valid message.
 *
 * A `jsonrpc` member other than `"2.0"` makes a request or notification invalid. An invalid `jsonrpc` member of a
 * response is ignored, because refusing the response would leave its request pending. A `method` of `null` counts as
 * absent, because some serializers write absent members as `null`.
 *
 * @param requiresIds whether a request with the id `null` is invalid. An array then counts as a message of the
 * protocol.
 * @see https://www.jsonrpc.org/specification
 */
export function classify(value: unknown, requiresIds = false): Envelope {
  if (typeof value !== "object" || value === null) return invalid(null, "a message is a JSON object", false);
  if (Array.isArray(value)) return invalid(null, BATCH, requiresIds);
  const { jsonrpc, id, method } = value as Record<string, unknown>;
  const named = jsonrpc !== undefined;
  if (method === undefined || method === null) {
    if ("result" in value || "error" in value) return "response";
    return invalid(readable(id), "a message has a `method`, a `result` or an `error`", named, "response");
  }
  const reason =
    jsonrpc !== "2.0"
      ? '`jsonrpc` must be "2.0"'
      : `\`method\` must be a string of at most ${MAX_METHOD_LENGTH} characters`;
  const valid = jsonrpc === "2.0" && typeof method === "string" && method.length <= MAX_METHOD_LENGTH;
  if (id === undefined) {
    if (valid) return "notification";
    return invalid(null, reason, named, typeof method === "string" ? "notification" : "request");
  }
  if (!isRequestId(id) || (requiresIds && id === null))
    return invalid(null, "`id` must be a string or a safe integer", named);
  return valid ? "request" : invalid(id, reason, named);
}

/** The maximum length of the name of a method. Errors, diagnostics and logs repeat the name. */
export const MAX_METHOD_LENGTH = 1_000;

const BATCH = "ACP has no batches: send one message at a time";

function readable(id: unknown): RequestId {
  return isRequestId(id) ? id : null;
}

function invalid(
  id: RequestId,
  reason: string,
  namesProtocol: boolean,
  likely: InvalidEnvelope["likely"] = "request",
): InvalidEnvelope {
  return { id, reason, likely, namesProtocol };
}
