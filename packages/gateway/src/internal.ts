// For the other packages and the tests of this repository. This entry is not covered by semantic versioning.
export { type GatewayClock, gatewaySystemClock } from "./clock.js";
export { memoryEngine } from "./engine/memory-engine.js";
export { type AllGatewayOptions, createGatewayWith } from "./gateway.js";
export type { Retention } from "./journal/retention.js";
export { gatewayLimitDefaults, gatewayTimeDefaults } from "./limits.js";
export type { AgentWork, ConvertedRequest, SessionView, SessionViewOptions } from "./version.js";
