// For client authors.

export type { Agent } from "@acp-kit/agent"; // what everythingAgent() returns
// For lists of what it can do.
export type { EverythingCommand } from "./command.js";
export { allCommands } from "./commands/index.js";
export { everythingAgent } from "./everything-agent.js";
// For those who keep sessions or logins elsewhere.
export { type LoginState, memoryLogin } from "./login.js";
export type { ConnectMcp, McpConnection, McpState } from "./mcp-connection.js";
export { type EverythingOptions, everythingDefaults } from "./options.js";
export type { Scene } from "./scene.js";
export { type EverythingLogEntry, type EverythingStore, memoryEverythingStore } from "./session-store.js";
export type { Settings } from "./settings.js";
