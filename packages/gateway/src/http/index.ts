export { type GatewayCaller, gatewayAgent } from "./gateway-agent.js";
export { createGatewayHandler, type GatewayHandler, type GatewayHandlerOptions } from "./gateway-handler.js";
