// Creating an agent.

export { agentDefaults } from "./agent-defaults.js";
export type { AgentContext, AgentDefinition, AgentOptions, PromptHandler } from "./agent-definition.js";
export { type Agent, type ConnectDefaults, createAgent } from "./create-agent.js";
export type { ErrorDetails } from "./handler-failures.js";
export type { ConcurrentPrompts, PromptResult } from "./turn-policy.js";

// A turn, its messages, plans and tool calls.

export type {
  PermissionOption,
  PlanEntry,
  StopReason,
  TextContentBlock,
  ToolCallContent,
  ToolKind,
} from "@acp-kit/types";
export { content, diff, text } from "./content.js";
export type { PlanEntryChange, PlanEntryInit, PlanHandle } from "./plan-handle.js";
export type { TextStream, TextStreamOptions } from "./text-stream.js";
export type { ToolCallChange, ToolCallHandle, ToolCallInit } from "./tool-call-handle.js";
export { toolKind } from "./tool-kind.js";
export type { Turn } from "./turn.js";

// Permissions.

export type { CallDecision } from "./call-decision.js";
export type { PermissionMemory, RememberedPermission } from "./permission-memory.js";
export type { PermissionPolicy, PermitOptions, PolicyDecision } from "./permit.js";

// The client: files, terminals, forms; and the environment of an agent's tools.

export type { ClientHandle, ElicitForm, ElicitUrl } from "./client-handle.js";
export type { Form, FormAnswer, FormFields, FormValue, FormValues } from "./elicit.js";
export type { TerminalHandle } from "./terminal-handle.js";
export {
  type Command,
  type CommandResult,
  type ToolEnvironment,
  type ToolEnvironmentOptions,
  toolEnvironment,
} from "./tool-environment.js";

// Sessions and the connection, outside of turns.

export { sessionNotFound } from "./agent-sessions.js";
export type { ClientConnection } from "./client-connection.js";
export type { Sent } from "./sent.js";
export type { ChunkOptions, SessionHandle } from "./session-handle.js";

// Errors and extensions. Re-exported are the errors that handlers throw or catch.

export {
  authRequired,
  CapabilityError,
  type ClientCapability,
  ConnectionError,
  type ConnectionErrorCode,
  DecodeError,
  type Diagnostic,
  ErrorCode,
  type Extension,
  type Extensions,
  extension,
  extensionNotification,
  InvalidOptionError,
  invalidParams,
  isCapabilityError,
  isConnectionError,
  isDecodeError,
  isInvalidOptionError,
  isRpcError,
  RpcError,
  resourceNotFound,
  type StandardSchema,
} from "@acp-kit/protocol";

// Transports and the connection itself.

export {
  fromMessageStream,
  type LinkedTransport,
  linkedTransports,
  type MessageStream,
  type Tap,
  type Transport,
  toMessageStream,
} from "@acp-kit/protocol";
export type { AgentPeer } from "./agent-peer.js";
