export { type AcpProxy, createProxy, type ProxyDefinition } from "./create-proxy.js";
export { type Hop, type HopReason, hopOf, refuse } from "./hop-error.js";
export type {
  AnyInterceptor,
  FreeInterceptor,
  FromAgent,
  FromClient,
  NextNotification,
  NextRequest,
  NotificationInterceptor,
  NotificationInterceptors,
  ProxyMessage,
  RequestInterceptor,
  RequestInterceptors,
  UpdateInterceptors,
  UpdateKind,
  UpdateOf,
} from "./interceptors.js";
export type { ProxySession } from "./proxy-session.js";
export type { AgentSide, ClientSide, ProxyRequestOptions, ProxySide } from "./proxy-side.js";
export { type ConnectableAgent, type OpenableAgent, type Proxied, withProxies } from "./with-proxies.js";
