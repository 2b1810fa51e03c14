// Exports for Node: the functions that start and test an agent or a client.
export type { AgentHome } from "./agent-homes.js";
export type { ClientCommandOptions } from "./client/launch-client.js";
export { type TestClientOptions, testClient } from "./client/test-client.js";
export type { RemoteServer } from "./remote/test-remote.js";
export { type TestAgentOptions, testAgent } from "./test-agent.js";
