import { CapabilityError, isAbsolutePath } from "@acp-kit/protocol";
import type { McpServer } from "@acp-kit/schema";
import type { ClientPeer } from "./client-peer.js";

/** Where a session works and with what. */
export interface SessionSetup {
  /** The absolute path that the session works in. */
  readonly cwd: string;
  /** Default: none. */
  readonly mcpServers?: readonly McpServer[];
  /** Further roots, absolute. On load and resume this is the complete list: nothing is restored from before. */
  readonly additionalDirectories?: readonly string[];
  readonly meta?: Record<string, unknown>;
}

/** The members that `session/new`, `session/load` and `session/resume` share. */
export interface SessionParams {
  cwd: string;
  mcpServers: McpServer[];
  additionalDirectories?: string[];
  _meta?: Record<string, unknown>;
}

/**
 * Checks a setup against the rules and against what the agent takes.
 *
 * @throws {TypeError} for a path that is not absolute.
 * @throws {CapabilityError} for roots or MCP transports that the agent did not announce.
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export function sessionParams(peer: ClientPeer, method: string, setup: SessionSetup): SessionParams {
  const { cwd, mcpServers = [], additionalDirectories = [], meta } = setup;
  for (const path of [cwd, ...additionalDirectories]) {
    if (!isAbsolutePath(path)) throw new TypeError(`${method}: "${path}" is not an absolute path`);
  }
  for (const server of mcpServers) {
    if (!("type" in server) || (server.type !== "http" && server.type !== "sse")) continue;
    const capability = `agentCapabilities.mcpCapabilities.${server.type}`;
    if (!peer.offers(capability)) throw new CapabilityError(`${method} with MCP server ${server.name}`, capability);
  }
  const roots = [...new Set(additionalDirectories)].filter((path) => path !== cwd);
  const capability = "agentCapabilities.sessionCapabilities.additionalDirectories";
  if (roots.length > 0 && !peer.offers(capability))
    throw new CapabilityError(`${method} with additionalDirectories`, capability);
  return {
    cwd,
    mcpServers: [...mcpServers],
    ...(roots.length > 0 && { additionalDirectories: roots }),
    ...(meta && { _meta: meta }),
  };
}
