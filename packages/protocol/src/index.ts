// For proxies and test kits, and for agents and clients that use neither `@acp-kit/agent` nor `@acp-kit/client`.
export {
  ConnectionError,
  type Diagnostic,
  fromMessageStream,
  InvalidOptionError,
  invalidParams,
  isConnectionError,
  isInvalidOptionError,
  isRpcError,
  type LinkedTransport,
  linkedTransports,
  type MessageLimits,
  type MessageStream,
  methodNotFound,
  type RequestContext,
  type RequestOptions,
  RpcError,
  type Tap,
  type TapEvent,
  type Transport,
  toMessageStream,
} from "@acp-kit/jsonrpc"; // re-exported, because they appear in the signatures of this package, or handlers use them
export { DecodeError, ErrorCode, type Issue, isDecodeError } from "@acp-kit/types/decode";
export { type AgentCapability, type ClientCapability, hasCapability } from "./capabilities.js";
export { CapabilityError, isCapabilityError } from "./capability-error.js";
export { authRequired, resourceNotFound } from "./errors.js";
export { type Extension, extension, extensionNotification } from "./extension.js";
export { type Agreement, Peer, type PeerContext, type PeerOptions } from "./peer.js";
export { redactSecrets } from "./redact.js";
export type { RequestTimeouts } from "./request-timeouts.js";
export type { PeerRole, WireCall, WireForm, WireHandler } from "./role.js";
export type { StandardSchema } from "./standard-schema.js";
export { type V1AgentCalls, type V1ClientCalls, v1Agent, v1Client } from "./v1.js";
export { asV2Update, type V2ToolCallUpdate, type V2Update } from "./v2-update.js";
export { isVersionError, VersionError } from "./version.js";
