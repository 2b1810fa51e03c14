export type { Transport } from "@acp-kit/jsonrpc"; // re-exported: the signatures of this package mention it
export { type AcpProxy, createProxy, type ProxyDefinition, type ProxyMcp, type ProxyVersion } from "./create-proxy.js";
export { type Hop, hopOf, refuse } from "./hop-error.js";
export type {
  AnyInterceptor,
  FromAgent,
  FromClient,
  NextNotification,
  NextRequest,
  ProxyMessage,
} from "./interceptors.js";
export type { ProxySession } from "./proxy-session.js";
export type { AgentSide, ClientSide } from "./proxy-side.js";
export { type ConnectableAgent, type OpenableAgent, type Proxied, withProxies } from "./with-proxies.js";
