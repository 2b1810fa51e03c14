import { type ServedMcp, serve } from "../serve-mcp.js";
import type { McpSourceOf } from "../session-servers.js";
import { LocalAddresses } from "./local-addresses.js";

/**
 * Gives every session servers of MCP that run in this process, for the option `mcp` of `connectAgent`. The agent gets
 * each server in the first of these ways that it supports:
 *
 * 1. over its connection, if it advertises MCP over ACP;
 * 2. as an HTTP server on the loopback address, with a token for each session;
 * 3. as a program on stdio, which connects to this process.
 *
 * Only agents on this machine get an address. For all others without MCP over ACP, the servers are left out, and the
 * client reports the diagnostic `mcp_server_left_out`.
 *
 * @param sources the servers, or functions that return the server for a session, or `undefined`.
 * @throws {InvalidOptionError} when a source is not one, or two have the same name.
 * @example
 * ```ts
 * const agent = await connectAgent(spawnAgent({ command, args }), { mcp: serveMcp(mcpTools("tickets", { find })) });
 * ```
 */
export function serveMcp(...sources: McpSourceOf[]): ServedMcp {
  return serve(sources, new LocalAddresses());
}
