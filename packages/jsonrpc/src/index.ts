// For everybody: a peer, its errors, what it may be told.
export { CANCEL_REQUEST, Connection, type ConnectionState } from "./connection.js";
export { ConnectionError, type ConnectionErrorCode, isConnectionError } from "./connection-error.js";
export type { Diagnostic, DiagnosticCode, DiagnosticListener } from "./diagnostic.js";
export { ErrorCode } from "./error-code.js";
export type { FallbackRoutes, NotificationHandler, ParamsDecoder, RequestHandler, Route } from "./handlers.js";
export type { RequestContext } from "./incoming-request.js";
// For people who bring a transport of their own.
export { type LinkedTransport, type LinkedTransportOptions, linkedTransports } from "./linked-transports.js";
export type {
  ErrorObject,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "./message.js";
export { fromMessageStream, type MessageStream, toMessageStream } from "./message-stream.js";
export { type ConnectionOptions, connectionDefaults, type RequestOptions } from "./options.js";
export { invalidParams, isRpcError, methodNotFound, RpcError, requestCancelled } from "./rpc-error.js";
export type { Tap, TapEvent } from "./tap.js";
export type { MalformedInput, Transport, TransportReceiver } from "./transport.js";
