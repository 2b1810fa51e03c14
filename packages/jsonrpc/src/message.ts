/**
 * The id of a request. It is unique among the sender's open requests. The response repeats it with the same value *and*
 * type.
 *
 * `null` is reserved for error responses to input whose id could not be read. A connection accepts it as the id of an
 * incoming request, but never sends such a request.
 *
 * @see https://www.jsonrpc.org/specification#request_object
 */
export type RequestId = string | number | null;

/** A JSON-RPC message that expects a response. */
export interface RequestMessage {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A JSON-RPC message that gets no response. */
export interface NotificationMessage {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: unknown;
}

/** The `error` member of a response. `code` is any integer; {@link ErrorCode} contains the reserved codes. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The response to a request, with either a `result` or an `error`. */
export type ResponseMessage =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: unknown }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly error: ErrorObject };

/** A JSON-RPC 2.0 message. ACP does not use batches. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;

/**
 * The method of the notification that cancels a request of its sender. The connection handles this notification as soon
 * as it arrives, and never queues it in a lane.
 *
 * @see https://agentclientprotocol.com/protocol/v1/cancellation
 */
export const CANCEL_REQUEST = "$/cancel_request";
