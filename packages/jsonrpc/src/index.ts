// For applications: a peer, its errors, its options.
export { Connection } from "./connection.js";
export { ConnectionError, isConnectionError } from "./connection-error.js";
export type { Diagnostic } from "./diagnostic.js";
export { JsonRpcErrorCode } from "./error-code.js";
export type { RequestContext } from "./incoming-request.js";
export { InvalidOptionError, isInvalidOptionError } from "./invalid-option-error.js";
export { type LinkedTransport, linkedTransports } from "./linked-transports.js";
export type { Message, NotificationMessage, RequestId, RequestMessage, ResponseMessage } from "./message.js";
// For authors of transports: the interface and its checks.
export { checkMessageText, checkMessageValue, type MessageLimits } from "./message-limits.js";
export { fromMessageStream, type MessageStream, toMessageStream } from "./message-stream.js";
export type { ConnectionOptions, RequestOptions } from "./options.js";
export { invalidParams, isRpcError, methodNotFound, RpcError, requestCancelled } from "./rpc-error.js";
export type { Tap, TapEvent } from "./tap.js";
export type { MalformedInput, Transport, TransportReceiver } from "./transport.js";
