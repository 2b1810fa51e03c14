// The signatures of this package use these types. A project that installs only this package can import them from here.
export type { ConnectionContext, ServedAgent } from "@acp-kit/http";
export { type GatewayCaller, gatewayAgent } from "./gateway-agent.js";
export {
  createGatewayHandler,
  type GatewayHandler,
  type GatewayHandlerOptions,
  type MetricsSource,
} from "./gateway-handler.js";
