export { type GatewayCaller, gatewayAgent } from "./gateway-agent.js";
export {
  createGatewayHandler,
  type GatewayHandler,
  type GatewayHandlerOptions,
  type MetricsSource,
} from "./gateway-handler.js";
