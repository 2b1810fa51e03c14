// For applications: serve an agent.
export { type AcpHandler, createAcpHandler } from "./server/acp-handler.js";
export { type AcpHandlerOptions, acpHandlerDefaults, type ServerLimits } from "./server/handler-options.js";
export { type Authenticate, type Principal, tokenAuthentication, tokenOf } from "./server/principal.js";
export type {
  AgentChoice,
  ConnectionContext,
  ServedAgent,
  ServedAgentConnection,
  ServedAgentDefaults,
} from "./server/served-agent.js";
