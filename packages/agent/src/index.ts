// For agent authors.
export {
  authRequired,
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
  invalidParams,
  isCapabilityError,
  isConnectionError,
  isDecodeError,
  isDeeperThan,
  isRpcError,
  type LinkedTransport,
  linkedTransports,
  type MessageStream,
  RpcError,
  resourceNotFound,
  type StandardSchema,
  type Tap,
  type Transport,
  toMessageStream,
} from "@acp-kit/protocol"; // re-exported: they are thrown at authors, or authors throw them
export type { PermissionOption, PlanEntry, TextContentBlock, ToolCallContent, ToolKind } from "@acp-kit/types";
export { type AgentConnection, agentDefaults } from "./agent-connection.js";
export type { AgentContext, AgentDefinition, AgentOptions, PromptHandler } from "./agent-definition.js";
// For people who build on us.
export type { AgentPeer } from "./agent-peer.js";
export { sessionNotFound } from "./agent-sessions.js";
export type { ClientHandle, ElicitForm, ElicitUrl } from "./client-handle.js";
export { content, diff, text } from "./content.js";
export { type Agent, type ConnectDefaults, createAgent } from "./create-agent.js";
export type { Form, FormAnswer, FormFields, FormValue, FormValues } from "./elicit.js";
export type { ErrorDetails } from "./handler-failures.js";
export { defaultPermissionOptions, type PermissionDecision } from "./permission.js";
export { type PermissionMemory, type PermissionRule, permissionOptionsFor } from "./permission-memory.js";
export type { PermissionPolicy, PermissionVerdict, Permit, PermitOptions } from "./permit.js";
export type { Plan, PlanEntryChange, PlanEntryInit } from "./plan.js";
export type { Sent } from "./session-channel.js";
export type { ChunkOptions, SessionHandle } from "./session-handle.js";
export type { Terminal } from "./terminal.js";
export type { TextStream, TextStreamOptions } from "./text-stream.js";
export type { ToolCall, ToolCallChange, ToolCallInit } from "./tool-call.js";
export {
  type Command,
  type CommandResult,
  clientEnvironment,
  type ToolEnvironment,
  type ToolEnvironmentOptions,
  toolEnvironment,
} from "./tool-environment.js";
export { toolKind } from "./tool-kind.js";
export type { Turn } from "./turn.js";
export type { ConcurrentPrompts, PromptResult } from "./turn-runner.js";
