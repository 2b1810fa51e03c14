// For applications: connecting.

export { AgentConnection, type ListOptions } from "./agent-connection.js";
export type { AgentSource } from "./agent-link.js";
export type { ClientContext } from "./client-context.js";
export { connectAgent } from "./connect-agent.js";
export type {
  ConnectAgentOptions,
  ElicitationHandlers,
  ElicitationOf,
  FileHandlers,
  TerminalHandlers,
} from "./connect-options.js";
export { type DialectName, type DialectRule, type DialectSetting, dialectRules } from "./dialect/dialect-rules.js";
export { type ClientLimits, clientDefaults } from "./limits.js";

// Sessions and turns.

export type { OpenOptions, OpenSessionOptions, SessionSetup } from "./session/open-options.js";
export { serverFolder } from "./session/open-options.js";
export type { OptionValues, SessionOptionList } from "./session/option-list.js";
export type {
  PromptOptions,
  PromptTurn,
  Session,
  SessionOrigin,
  TurnState,
  UpdateContext,
  UpdateListener,
} from "./session/session.js";
export { isSessionLostError, SessionLostError } from "./session/session-lost-error.js";
export type { BooleanOption, OptionChoice, SelectOption, SessionOption } from "./session/session-option.js";
export type { SteerOutcome } from "./session/steer.js";

// Prompts.

export {
  type BlockOptions,
  type LinkOptions,
  type MediaOptions,
  PromptBuilder,
  prompt,
  type ResourceContent,
  type ResourceSource,
} from "./prompt/prompt-builder.js";
export type { PromptInput, UnsupportedBlocks } from "./prompt/prompt-content.js";

// Permissions.

export type { PermissionOption } from "@acp-kit/types";
export {
  type AskUser,
  type AskUserOptions,
  askUser,
  type ShowQuestion,
} from "./permissions/ask-user.js";
export type { PermissionAuthor, PermissionDecision, UndecidedReason } from "./permissions/permission-decision.js";
export { optionOfKey, type PermissionKey, permissionKeys, wrongKeyText } from "./permissions/permission-keys.js";
export type { PermissionQuestion } from "./permissions/permission-questions.js";
export type {
  AttributedDecision,
  DecidePermission,
  NamedPermissionRule,
  PermissionContext,
  PermissionRule,
} from "./permissions/permission-rule.js";
export {
  allow,
  allowReads,
  type PermissionMatch,
  type PermissionRuleOptions,
  permissionMatchLimits,
  reject,
} from "./permissions/permission-rules.js";
export {
  type PermissionPart,
  type PermissionView,
  permissionView,
  permissionViewText,
} from "./permissions/permission-view.js";
export {
  type DecisionScope,
  type RememberedDecision,
  type RememberedDecisions,
  type RememberOptions,
  rememberDecisions,
} from "./permissions/remember-decisions.js";
export type { RuleDecision } from "./permissions/rule-decision.js";

// Logins.

export { AuthRequiredError, isAuthRequired } from "./authentication/auth-required-error.js";
export type { LoginHandlers } from "./authentication/login-handlers.js";
export type {
  AgentLogin,
  EnvVarLogin,
  LoginMethod,
  LoginVariable,
  TerminalLogin,
  UnknownLogin,
} from "./authentication/login-method.js";

// Transcripts, and `Readable`: a value that notifies its subscribers when it changes.

export { readTranscript } from "./transcript/read-transcript.js";
export type { Readable } from "./transcript/readable.js";
export { reduceTranscript } from "./transcript/reduce-transcript.js";
export type { TranscriptSetting } from "./transcript/session-transcript.js";
export { createTranscript, Transcript, type TranscriptOptions } from "./transcript/transcript.js";
export type {
  CompactionEntry,
  MessageEntry,
  NoticeEntry,
  PermissionState,
  PlanTranscriptEntry,
  ToolCallEntry,
  TranscriptEntry,
  UnknownEntry,
} from "./transcript/transcript-entry.js";
export type { TranscriptEvent } from "./transcript/transcript-event.js";
export {
  emptyTranscript,
  type TokenCount,
  type TranscriptModes,
  type TranscriptSnapshot,
  type TranscriptTerminal,
  type TranscriptTurn,
  type TranscriptUsage,
} from "./transcript/transcript-snapshot.js";

// Errors and transports of `@acp-kit/protocol`: the errors that applications catch, and those that their handlers
// throw.

export {
  type AgentCapability,
  CapabilityError,
  ConnectionError,
  type ConnectionErrorCode,
  DecodeError,
  type Diagnostic,
  ErrorCode,
  type Extension,
  type Extensions,
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
  type MessageStream,
  RpcError,
  resourceNotFound,
  type StandardSchema,
  type Tap,
  type Transport,
  toMessageStream,
  VersionError,
} from "@acp-kit/protocol";
export { isNotFound } from "./errors.js";

// Updates that only version 2 of the protocol has.

export { asV2Update, type V2ToolCallUpdate, type V2Update } from "@acp-kit/protocol";

// For libraries built on this one.

export type { ClientPeer } from "./client-peer.js";
