// The exports that most applications need, from the packages that this package installs. Their READMEs list all
// exports.

// Exports for clients: start an agent, open a session, send a prompt.

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

// Types of the updates that a session receives.

export {
  type ContentBlock,
  type IncomingSessionUpdate,
  isKnownSessionUpdate,
  type SessionUpdate,
  type StopReason,
  type TextContentBlock,
  type ToolCallContent,
} from "@acp-kit/types";

// Permission rules, which decide the permission requests of an agent.

export {
  type AskUser,
  allow,
  allowReads,
  askUser,
  type NamedPermissionRule,
  type PermissionRule,
  type RememberedDecisions,
  type RuleDecision,
  reject,
  rememberDecisions,
} from "@acp-kit/client";

// Exports for agents: create an agent, and serve it on standard input and output.

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

// Exports for tests with a client and an agent in one process.

export { type LinkedTransport, linkedTransports, type Transport } from "@acp-kit/client";

// Errors with which calls reject, and errors that handlers throw.

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
