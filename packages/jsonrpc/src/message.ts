/**
 * The id of a request: unique among the sender's open requests, echoed by the response in value *and* type.
 *
 * `null` is reserved for errors about input whose id could not be read; it is accepted on incoming requests and never sent.
 *
 * @see https://www.jsonrpc.org/specification#request_object
 */
export type RequestId = string | number | null;

/** A message that expects a response. */
export interface RequestMessage {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A message that gets no response. */
export interface NotificationMessage {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: unknown;
}

/** The `error` member of a response. `code` is any integer; the reserved ones are in {@link ErrorCode}. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The response to a request: `result` or `error`, exactly one of the two. */
export type ResponseMessage =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: unknown }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly error: ErrorObject };

/** One JSON-RPC 2.0 message. ACP has no batches. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;

/**
 * The notification that cancels a request of its sender. It overtakes everything: it is the only message that waits in no lane.
 *
 * @see https://agentclientprotocol.com/protocol/v1/cancellation
 */
export const CANCEL_REQUEST = "$/cancel_request";
