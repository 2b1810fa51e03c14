// Types in the signatures of this entry, so that a project that installs this package alone can name them.
export type { ConnectionContext, ServedAgent } from "@acp-kit/http";
export { type GatewayCaller, gatewayAgent } from "./gateway-agent.js";
export {
  createGatewayHandler,
  type GatewayHandler,
  type GatewayHandlerOptions,
  type MetricsSource,
} from "./gateway-handler.js";
