// For agent authors: serve this process.

export { guardStdout } from "./guard-stdout.js";
export {
  type Servable,
  type ServedConnection,
  type ServedDefaults,
  type ServeStdioOptions,
  serveStdio,
} from "./serve-stdio.js";

// For applications: start an agent.

export { type AgentSupervisor, type SuperviseAgentOptions, superviseAgent } from "./agent-supervisor.js";
export { type Environment, essentialEnvironment } from "./child-environment.js";
export { type LoginEnvironmentOptions, loginEnvironment } from "./login-environment.js";
export { isProcessError, ProcessError, type ProcessErrorCode, type ProcessErrorDetails } from "./process-error.js";
export { spawnAgent } from "./spawn-agent.js";
export { type SpawnAgentOptions, spawnAgentDefaults } from "./spawn-options.js";

// For applications: how processes fail and end.

export type { AgentProcess, ProcessExit } from "./agent-process.js";
export type { DetachedProcess, DetachedProcessPolicy } from "./detached-processes.js";
export { type AgentLedger, type AgentPlan, createLedger, type LedgerPage } from "./ledger.js";
export type { ReapedAgent } from "./ledger-reap.js";

// For authors of other tools: run commands and leave no process behind; exchange messages over Node streams.

export type { Transport } from "@acp-kit/jsonrpc"; // the type that nodeTransport() returns
export { type NodeTransportOptions, nodeTransport } from "./node-transport.js";
export { OwnedChild, type StartChildOptions, startChild } from "./owned-child.js";
