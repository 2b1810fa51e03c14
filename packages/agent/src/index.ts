// Creating an agent.

export type { AgentContext, AgentDefinition } from "./agent-definition.js";
export type { AgentOptions } from "./agent-options.js";
export { type Agent, createAgent } from "./create-agent.js";
export type { PromptResult } from "./turn-policy.js";
export type { AgentVersion } from "./version.js";

// A turn, its messages, plans and tool calls.

export type { PermissionOption, StopReason, TextContentBlock, ToolCallContent, ToolKind } from "@acp-kit/types";
export { content, diff, text } from "./content.js";
export type { PlanHandle } from "./plan-handle.js";
export type { TextStream } from "./text-stream.js";
export type { ToolCallChange, ToolCallHandle, ToolCallInit } from "./tool-call-handle.js";
export { toolKind } from "./tool-kind.js";
export type { Turn } from "./turn.js";

// Permissions.

export type { CallDecision } from "./call-decision.js";
export type { PermissionMemory } from "./permission-memory.js";
export type { PermissionPolicy } from "./permit.js";

// The client: files, terminals, forms; and the environment of an agent's tools.

export type { ClientHandle } from "./client-handle.js";
export type { Form, FormAnswer } from "./elicit.js";
export type { OwnTerminal } from "./own-terminal.js";
export type { TerminalHandle } from "./terminal-handle.js";
export { type Command, type CommandResult, type ToolEnvironment, toolEnvironment } from "./tool-environment.js";

// Sessions and the connection, outside of turns.

export { sessionNotFound } from "./agent-sessions.js";
export type { ClientConnection } from "./client-connection.js";
export type { SessionHandle } from "./session-handle.js";

// Errors and extensions. Re-exported are the errors that handlers throw or catch.

export {
  authRequired,
  CapabilityError,
  type ClientCapability,
  ConnectionError,
  DecodeError,
  type Diagnostic,
  ErrorCode,
  type Extension,
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
} from "@acp-kit/protocol";

// Transports and the connection itself.

export { fromMessageStream, type LinkedTransport, linkedTransports, type Tap, type Transport } from "@acp-kit/protocol";
export type { AgentPeer } from "./agent-peer.js";
