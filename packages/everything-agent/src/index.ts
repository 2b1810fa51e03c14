// For client authors: the agent and its options.

export type { Agent } from "@acp-kit/agent"; // the type that everythingAgent() returns
export { everythingAgent } from "./everything-agent.js";
export { type EverythingOptions, everythingDefaults } from "./options.js";

// For applications that store sessions or logins themselves, or that connect to MCP servers with their own MCP client.

export { type LoginState, memoryLogin } from "./login.js";
export type { ConnectMcp, McpConnection, McpState } from "./mcp-connection.js";
export { type EverythingLogEntry, type EverythingStore, memoryEverythingStore } from "./session-store.js";
export type { Settings } from "./settings.js";

// For listing the commands of the agent.

export type { EverythingCommand } from "./command.js";
export { allCommands } from "./commands/index.js";
export type { Scene } from "./scene.js";
