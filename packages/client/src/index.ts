// For applications: connecting.

export { AgentConnection } from "./agent-connection.js";
export type { AgentSource } from "./agent-link.js";
export type { ClientContext } from "./client-context.js";
export { connectAgent } from "./connect-agent.js";
export type {
  ClientMcp,
  ConnectAgentOptions,
  ElicitationHandlers,
  ElicitationOf,
  FileHandlers,
  TerminalHandlers,
} from "./connect-options.js";
export { type DialectName, type DialectRule, dialectRules } from "./dialect/dialect-rules.js";

// Sessions and turns.

export type { OpenSessionOptions, SessionSetup } from "./session/open-options.js";
export { serverFolder } from "./session/open-options.js";
export type { OptionValues, SessionOptionList } from "./session/option-list.js";
export type { PromptOptions, PromptTurn, Session, UpdateListener } from "./session/session.js";
export { isSessionLostError, SessionLostError } from "./session/session-lost-error.js";
export type { BooleanOption, SelectOption, SessionOption } from "./session/session-option.js";

// Prompts.

export { PromptBuilder, prompt } from "./prompt/prompt-builder.js";
export type { PromptInput } from "./prompt/prompt-content.js";

// Permissions.

export type { PermissionOption } from "@acp-kit/types";
export { type AskUser, askUser, type ShowQuestion } from "./permissions/ask-user.js";
export type { PermissionDecision } from "./permissions/permission-decision.js";
export { optionOfKey, type PermissionKey, permissionKeys } from "./permissions/permission-keys.js";
export type { PermissionQuestion } from "./permissions/permission-questions.js";
export type {
  DecidePermission,
  NamedPermissionRule,
  PermissionContext,
  PermissionRule,
} from "./permissions/permission-rule.js";
export { allow, allowReads, reject } from "./permissions/permission-rules.js";
export {
  type PermissionPart,
  type PermissionView,
  permissionView,
  permissionViewText,
} from "./permissions/permission-view.js";
export { type RememberedDecisions, rememberDecisions } from "./permissions/remember-decisions.js";
export type { RuleDecision } from "./permissions/rule-decision.js";

// Logins.

export { AuthRequiredError, isAuthRequired } from "./authentication/auth-required-error.js";
export type { LoginHandlers } from "./authentication/login-handlers.js";
export type { EnvVarLogin, LoginMethod, TerminalLogin } from "./authentication/login-method.js";

// Transcripts, and `Readable`: a value that notifies its subscribers when it changes.

export { readTranscript } from "./transcript/read-transcript.js";
export type { Readable } from "./transcript/readable.js";
export { reduceTranscript } from "./transcript/reduce-transcript.js";
export { createTranscript, Transcript } from "./transcript/transcript.js";
export type {
  MessageEntry,
  PlanTranscriptEntry,
  ToolCallEntry,
  TranscriptEntry,
} from "./transcript/transcript-entry.js";
export type { TranscriptEvent } from "./transcript/transcript-event.js";
export {
  emptyTranscript,
  type TranscriptSnapshot,
  type TranscriptTerminal,
  type TranscriptUsage,
} from "./transcript/transcript-snapshot.js";

// Errors and transports of `@acp-kit/protocol`: the errors that applications catch, and those that their handlers
// throw.

export {
  type AgentCapability,
  CapabilityError,
  ConnectionError,
  DecodeError,
  type Diagnostic,
  ErrorCode,
  type Extension,
  extension,
  extensionNotification,
  fromMessageStream,
  InvalidOptionError,
  invalidParams,
  isCapabilityError,
  isConnectionError,
  isDecodeError,
  isInvalidOptionError,
  isRpcError,
  isVersionError,
  type LinkedTransport,
  linkedTransports,
  RpcError,
  resourceNotFound,
  type Tap,
  type Transport,
} from "@acp-kit/protocol";
export { isNotFound } from "./errors.js";

// Updates that only version 2 of the protocol has.

export { asV2Update, type V2ToolCallUpdate, type V2Update } from "@acp-kit/protocol";

// For libraries built on this one.

export type { ClientPeer } from "./client-peer.js";
export type { TranscriptExtension } from "./transcript/transcript-extension.js";
export type { ClientVersion } from "./version.js";
