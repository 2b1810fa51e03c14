// The signatures of this package use this type.
export type { Engine } from "@acp-kit/gateway";
// Exports for applications that host a gateway.
export { type RedisEngineOptions, redisEngine } from "./open-engine.js";
// Exports for tests of the engine with a simulated server.
export { RedisEngine } from "./redis-engine.js";
export type { RedisPort } from "./redis-port.js";
export { type RedisScript, redisScripts } from "./redis-scripts.js";
