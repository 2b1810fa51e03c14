// The exports an application needs first, from the packages that this one installs. Each has more: see its README.

// Connecting to an agent: start it, open a session, send a prompt.

export {
  type AgentConnection,
  type ConnectAgentOptions,
  connectAgent,
  type PromptBuilder,
  type PromptOptions,
  type PromptTurn,
  prompt,
  type Session,
  type UpdateListener,
} from "@acp-kit/client";
export {
  type AgentProcess,
  type AgentSupervisor,
  type SpawnAgentOptions,
  spawnAgent,
  superviseAgent,
} from "@acp-kit/stdio/node";

// Updates, as they arrive.

export {
  type ContentBlock,
  type IncomingSessionUpdate,
  isKnownSessionUpdate,
  type SessionUpdate,
  type StopReason,
  type TextContentBlock,
  type ToolCallContent,
} from "@acp-kit/types";

// Permissions: rules for the tool calls of an agent.

export {
  type AskUser,
  allow,
  allowReads,
  askUser,
  type PermissionAnswer,
  type PermissionDecider,
  type PermissionRule,
  type RememberedChoices,
  reject,
  rememberChoices,
} from "@acp-kit/client";

// Creating an agent, and serving it on standard input and output.

export {
  type Agent,
  type AgentDefinition,
  type AgentOptions,
  content,
  createAgent,
  diff,
  type SessionHandle,
  type ToolCallHandle,
  type Turn,
  text,
} from "@acp-kit/agent";
export { type ServeStdioOptions, serveStdio } from "@acp-kit/stdio/node";

// Tests of both: a client and an agent in one process.

export { type LinkedTransport, linkedTransports, type Transport } from "@acp-kit/client";

// Errors: those that calls reject with, and those that handlers throw.

export { authRequired, invalidParams, RpcError, resourceNotFound } from "@acp-kit/agent";
export {
  CapabilityError,
  ConnectionError,
  type Diagnostic,
  ErrorCode,
  InvalidOptionError,
  isAuthRequired,
  isCapabilityError,
  isConnectionError,
  isInvalidOptionError,
  isRpcError,
} from "@acp-kit/client";
export { isProcessError, ProcessError } from "@acp-kit/stdio/node";
