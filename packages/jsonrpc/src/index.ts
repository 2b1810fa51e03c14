// For applications: a peer, its errors, its options. For authors of transports: the interface and its checks.
export { Connection } from "./connection.js";
export { ConnectionError, type ConnectionErrorCode, isConnectionError } from "./connection-error.js";
export type { Diagnostic, DiagnosticCode, DiagnosticListener } from "./diagnostic.js";
export type { ConnectionState } from "./ending.js";
export { JsonRpcErrorCode } from "./error-code.js";
export type { Backlog } from "./flow-control.js";
export type { FallbackRoutes, NotificationHandler, ParamsDecoder, RequestHandler, Route } from "./handlers.js";
export type { RequestContext } from "./incoming-request.js";
export { InvalidOptionError, isInvalidOptionError } from "./invalid-option-error.js";
export { JsonText } from "./json-text.js";
export { type LinkedTransport, type LinkedTransportOptions, linkedTransports } from "./linked-transports.js";
export type {
  ErrorObject,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "./message.js";
export { checkMessageText, checkMessageValue, type MessageLimits, messageLimitDefaults } from "./message-limits.js";
export {
  type FromMessageStreamOptions,
  fromMessageStream,
  type MessageStream,
  type ToMessageStreamOptions,
  toMessageStream,
} from "./message-stream.js";
export { type ConnectionOptions, connectionDefaults, type RequestOptions } from "./options.js";
export { invalidParams, isRpcError, methodNotFound, RpcError, requestCancelled } from "./rpc-error.js";
export type { Tap, TapEvent } from "./tap.js";
export type { MalformedInput, Transport, TransportReceiver } from "./transport.js";
