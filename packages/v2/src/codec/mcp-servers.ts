import { invalidParams } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isKnownMcpServer } from "@acp-kit/types/v2";
import type { JsonObject } from "./objects.js";

/**
 * Converts MCP servers of version 1. In version 2 every server has a `type`, URLs are absolute, and `sse` does not
 * exist.
 *
 * @throws {RpcError} `-32602` for a server of type `sse` or with a URL that is not absolute: an agent must refuse
 * transports that it does not support.
 * @see https://agentclientprotocol.com/protocol/v2/session-setup#mcp-servers
 */
export function mcpServersToV2(servers: readonly v1.IncomingMcpServer[]): v2.McpServer[] {
  return servers.map((server) => {
    const { type = "stdio", url } = server as JsonObject;
    if (type === "sse") throw invalidParams("Version 2 of the protocol has no MCP servers of type sse", { type });
    if (typeof url === "string" && !URL.canParse(url))
      throw invalidParams("The URL of an MCP server is not absolute", { url });
    return { ...server, type } as v2.McpServer;
  });
}

/**
 * Converts MCP servers of version 2. In version 1 a server of type `stdio` has no `type`, and all lists are required.
 *
 * @throws {RpcError} `-32602` for a server whose type version 1 does not have.
 */
export function mcpServersToV1(servers: readonly v2.IncomingMcpServer[]): v1.McpServer[] {
  return servers.map((server) => {
    const { type } = server as JsonObject;
    if (type === "acp") return server as unknown as v1.McpServer; // not stable, and the same in both versions
    if (!isKnownMcpServer(server))
      throw invalidParams("MCP servers of this type are not supported", { type: server.type });
    if (server.type === "http") return { ...server, headers: server.headers ?? [] };
    const { type: _, ...stdio } = server;
    return { ...stdio, args: stdio.args ?? [], env: stdio.env ?? [] };
  });
}
