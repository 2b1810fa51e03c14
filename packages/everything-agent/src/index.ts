// For client authors.

export type { Agent } from "@acp-kit/agent"; // the type that everythingAgent() returns
// For listing its features.
export type { EverythingCommand } from "./command.js";
export { allCommands } from "./commands/index.js";
export { everythingAgent } from "./everything-agent.js";
// For storing sessions or logins elsewhere.
export { type LoginState, memoryLogin } from "./login.js";
export type { ConnectMcp, McpConnection, McpState } from "./mcp-connection.js";
export { type EverythingOptions, everythingDefaults } from "./options.js";
export type { Scene } from "./scene.js";
export { type EverythingLogEntry, type EverythingStore, memoryEverythingStore } from "./session-store.js";
export type { Settings } from "./settings.js";
