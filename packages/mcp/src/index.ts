export { type ClientOfAgent, clientTransport, type McpClientTransport } from "./client-transport.js";
export { fromMcpServer } from "./from-mcp-server.js";
export type { LibraryServer } from "./library-connection.js";
export type {
  McpHandler,
  McpOutcome,
  McpRequest,
  McpSession,
  McpSource,
} from "./mcp-source.js";
export { type McpTool, mcpTools, type ToolContext, type ToolSchema } from "./mcp-tools.js";
export { type ServedMcp, serveMcp } from "./serve-mcp.js";
export type { McpSourceOf, SessionParams } from "./session-servers.js";
export { ToolError } from "./tool-error.js";
