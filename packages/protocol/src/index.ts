// For proxies and test kits, and for agents and clients that use neither `@acp-kit/agent` nor `@acp-kit/client`.
export {
  after,
  ConnectionError,
  type ConnectionErrorCode,
  checkOptions,
  type Deferred,
  type Diagnostic,
  deferred,
  editDistance,
  fromMessageStream,
  hasHalf,
  InvalidOptionError,
  invalidParams,
  isConnectionError,
  isDeeperThan,
  isInvalidOptionError,
  isRpcError,
  JsonRpcErrorCode,
  type LinkedTransport,
  limitsAmong,
  linkedTransports,
  type MessageLimits,
  type MessageStream,
  messageLimitDefaults,
  methodNotFound,
  nearestName,
  type OptionKinds,
  onAbort,
  prefixOf,
  quote,
  type RequestContext,
  type RequestOptions,
  RpcError,
  requestCancelled,
  settledWithin,
  shorten,
  suffixOf,
  type Tap,
  type TapEvent,
  type TimerOptions,
  type Transport,
  toMessageStream,
  WholeCharacters,
  withinDepth,
} from "@acp-kit/jsonrpc"; // re-exported, because they appear in the signatures of this package, or handlers use them
export { DecodeError, ErrorCode, type Issue, isDecodeError } from "@acp-kit/types/decode";
export { isAbsolutePath } from "./absolute-path.js";
export { type AgentCapability, assertCapability, type ClientCapability, hasCapability } from "./capabilities.js";
export { CapabilityError, isCapabilityError } from "./capability-error.js";
export { type Deadlines, deadlineDefaults, deadlineKinds } from "./deadlines.js";
export { diagnosticReporter } from "./diagnostic-reporter.js";
export { authRequired, resourceNotFound } from "./errors.js";
export {
  type Extension,
  type ExtensionName,
  type Extensions,
  extension,
  extensionNotification,
} from "./extension.js";
export {
  type DeleteFileRequest,
  type FileExtension,
  type FileExtensionMethod,
  fileExtensions,
  type RenameFileRequest,
} from "./file-extensions.js";
export {
  type Agreement,
  type ConnectionLimits,
  type OutgoingCheck,
  Peer,
  type PeerContext,
  type PeerOptions,
} from "./peer.js";
export { redactSecrets } from "./redact.js";
export type { CallTypes, Part, PeerRole } from "./role.js";
export type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.js";
export { type V1AgentCalls, type V1ClientCalls, v1Agent, v1Client } from "./v1.js";
export { isVersionError, negotiateVersion, VersionError } from "./version.js";
