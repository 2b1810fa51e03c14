// For tests of this repository. This entry is not covered by semantic versioning.
export { memoryEngine } from "./engine/memory-engine.js";
export { type AllGatewayOptions, createGatewayWith } from "./gateway.js";
