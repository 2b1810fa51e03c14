// Exports for applications that serve an agent or connect to one.

export { type FetchListenerOptions, fetchListener } from "./fetch-listener.js";
export type { ClientTlsOptions, RouteOptions } from "./http-route.js";
export { withListeningHost } from "./listening-host.js";
export type { NodeRequest, NodeResponse } from "./node-exchange.js";
export { createNodeFetch, type NodeFetch } from "./node-fetch.js";
export type { ProxyEnvironment } from "./proxy.js";
export { httpAgent, type NodeRemoteOptions, webSocketAgent } from "./remote-agents.js";
export { type HttpAgentServer, type ServeHttpOptions, serveHttp } from "./serve-http.js";
