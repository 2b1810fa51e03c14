export { Budget, BudgetShares, Holding } from "./budget.js";
export { callQuietly } from "./call-quietly.js";
export { checkOptions, type OptionKind, type OptionKinds } from "./check-options.js";
// For applications: a peer, its errors, its options.
export { Connection } from "./connection.js";
export { ConnectionError, type ConnectionErrorCode, isConnectionError } from "./connection-error.js";
// For authors of transports.
export { type Deferred, deferred } from "./deferred.js";
export type { Diagnostic, DiagnosticCode, DiagnosticListener } from "./diagnostic.js";
export type { ConnectionState } from "./ending.js";
export { MAX_METHOD_LENGTH } from "./envelope.js";
export { JsonRpcErrorCode } from "./error-code.js";
export { type ExcerptHead, excerptHead } from "./excerpt-head.js";
export type { Backlog } from "./flow-control.js";
export type { FallbackRoutes, NotificationHandler, ParamsDecoder, RequestHandler, Route } from "./handlers.js";
export type { RequestContext } from "./incoming-request.js";
export { InvalidOptionError, isInvalidOptionError } from "./invalid-option-error.js";
export { isDeeperThan, withinDepth } from "./json-depth.js";
export { JsonText } from "./json-text.js";
export { limitsAmong, limitsOf } from "./limits-of.js";
export { type LinkedTransport, type LinkedTransportOptions, linkedTransports } from "./linked-transports.js";
export { memoryOf } from "./memory-of.js";
export {
  CANCEL_REQUEST,
  type ErrorObject,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./message.js";
export { checkMessageText, checkMessageValue, type MessageLimits, messageLimitDefaults } from "./message-limits.js";
export {
  type FromMessageStreamOptions,
  fromMessageStream,
  type MessageStream,
  type ToMessageStreamOptions,
  toMessageStream,
} from "./message-stream.js";
export { editDistance, nearestName } from "./nearest-name.js";
export { onAbort } from "./on-abort.js";
export { type ConnectionOptions, connectionDefaults, type RequestOptions } from "./options.js";
export { Queue } from "./queue.js";
export { quote } from "./quote.js";
export { checkPostedMessage } from "./refused-message.js";
export { invalidParams, isRpcError, methodNotFound, RpcError, requestCancelled } from "./rpc-error.js";
export { shorten } from "./shorten.js";
export type { Tap, TapEvent } from "./tap.js";
export { after, every, settledWithin, type TimerOptions } from "./timer.js";
export { closedBeforeStart, type MalformedInput, type Transport, type TransportReceiver } from "./transport.js";
export { hasHalf, prefixOf, suffixOf, WholeCharacters } from "./whole-characters.js";
