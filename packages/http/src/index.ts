// Exports for applications that connect to an agent.
export type { Transport } from "@acp-kit/jsonrpc"; // a `RemoteAgent` returns it
export type { ConnectionChange } from "./client/connection-change.js";
export type { CredentialsContext, HeadersSource, TokenSource } from "./client/credentials.js";
export { fetchAgent } from "./client/http-agent.js";
export type { FetchLike, HttpAgentOptions, RemoteAgentLimits } from "./client/http-agent-options.js";
export type { RemoteAgent } from "./client/remote-source.js";
export {
  type WebSocketAgentOptions,
  type WebSocketConstructor,
  webSocketAgent,
} from "./client/web-socket-agent.js";
// Exports for applications that serve an agent.
export { type AcpHandler, createAcpHandler } from "./server/acp-handler.js";
export { type BunHandlers, type BunServerLike, type BunWebSocketLike, bunHandlers } from "./server/bun-handlers.js";
export { createDirectHandler, type DirectHandler, type DirectHandlerOptions } from "./server/direct-server.js";
export { type AcpHandlerOptions, acpHandlerDefaults, type ServerLimits } from "./server/handler-options.js";
export { type Authenticate, type Principal, tokenAuthentication, tokenOf } from "./server/principal.js";
export { Refusal, type RefusalOptions } from "./server/refusal.js";
export { relayAgent } from "./server/relay-agent.js";
export { createGuard, type GuardedHandler } from "./server/request-guard.js";
export type {
  AgentChoice,
  ConnectionContext,
  ServedAgent,
  ServedAgentConnection,
  ServedAgentDefaults,
} from "./server/served-agent.js";
export type { WebSocketUpgrade } from "./server/web-socket-upgrade.js";
// Exports for programs that connect two transports, and for web workers and iframes.
export { type Bridge, type BridgeOptions, bridgeTransports } from "./wire/bridge.js";
export { type MessagePortLike, type MessagePortOptions, messagePortTransport } from "./wire/message-port-transport.js";
export { isRemoteError, RemoteError, type RemoteErrorCode, type RemoteErrorDetails } from "./wire/remote-error.js";
export type { WebSocketLike } from "./wire/text-socket.js";
