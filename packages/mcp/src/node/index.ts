export type { Transport } from "@acp-kit/jsonrpc"; // re-exported: it appears in a signature
export type { ServedMcp } from "../serve-mcp.js";
export type { McpSourceOf, SessionParams } from "../session-servers.js";
export { type McpBridgeOptions, mcpBridge } from "./mcp-bridge.js";
export { serveMcp } from "./serve-mcp.js";
