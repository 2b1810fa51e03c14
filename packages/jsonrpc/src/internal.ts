// For the other packages of this repository. Not covered by semantic versioning: anything here may change in any
// release.
export { Budget, BudgetShares, Holding, shareOf } from "./budget.js";
export { callQuietly } from "./call-quietly.js";
export { checkOptions, type OptionKind, type OptionKinds } from "./check-options.js";
export { type Deferred, deferred } from "./deferred.js";
export { DeliveryQueue } from "./delivery-queue.js";
export type { DiagnosticListener } from "./diagnostic.js";
export { MAX_METHOD_LENGTH } from "./envelope.js";
export { type ExcerptHead, excerptHead } from "./excerpt-head.js";
export { FlowControl } from "./flow-control.js";
export type { NotificationHandler, RequestHandler, Route } from "./handlers.js";
export { isDeeperThan, withinDepth } from "./json-depth.js";
export { isJsonObject, type JsonObject } from "./json-object.js";
export { JsonText } from "./json-text.js";
export { Lanes } from "./lanes.js";
export { limitsAmong, limitsOf } from "./limits-of.js";
export { memoryOf } from "./memory-of.js";
export { CANCEL_REQUEST, type ErrorObject } from "./message.js";
export { messageLimitDefaults } from "./message-limits.js";
export { editDistance, nearestName } from "./nearest-name.js";
export { onAbort } from "./on-abort.js";
export { Queue } from "./queue.js";
export { quote } from "./quote.js";
export { checkPostedMessage } from "./refused-message.js";
export { shorten } from "./shorten.js";
export { after, every, settledWithin, type TimerOptions } from "./timer.js";
export { closedBeforeStart } from "./transport.js";
export { hasHalf, prefixOf, suffixOf, WholeCharacters } from "./whole-characters.js";
