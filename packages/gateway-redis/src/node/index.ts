// A type in the signatures of this entry.
export type { Engine } from "@acp-kit/gateway";
// For hosts.
export { type RedisEngineOptions, redisEngine } from "./open-engine.js";
// For tests of the engine's own code against a model of the server.
export { RedisEngine } from "./redis-engine.js";
export type { RedisPort } from "./redis-port.js";
export { type RedisScript, redisScripts } from "./redis-scripts.js";
