// For agents: the tools of the MCP servers that a client declares.

export type { SessionMcp } from "../agent/session-mcp.js";
export { type SessionToolsOptions, sessionTools } from "./session-tools.js";

// For applications that give an agent their tools of the AI SDK.

export type { McpSource } from "@acp-kit/mcp"; // re-exported: it appears in the signature
export { fromAiSdkTools } from "./from-ai-sdk-tools.js";
