import { CapabilityError } from "@acp-kit/protocol";
import { isAbsolutePath } from "@acp-kit/protocol/internal";
import type { McpServer } from "@acp-kit/types";
import { decodeNewSessionRequest } from "@acp-kit/types/decode";
import { checkSent } from "../check-sent.js";
import type { ClientPeer } from "../client-peer.js";
import type { SessionSetup } from "./open-options.js";

/** The members that `session/new`, `session/load` and `session/resume` share. */
export interface SessionParams {
  cwd: string;
  mcpServers: McpServer[];
  additionalDirectories?: string[];
  _meta?: Record<string, unknown>;
}

/**
 * Checks a setup and converts it to the params of a request, without MCP servers that the agent doesn't support.
 *
 * @throws {TypeError} for a path that is not absolute, and for a member of the wrong type.
 * @throws {CapabilityError} for additional directories if the agent did not advertise them, because without these
 * directories the agent would work on other files; likewise for a system prompt, without which it would work in
 * another way.
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export function sessionParams(peer: ClientPeer, method: string, setup: SessionSetup): SessionParams {
  const { cwd, mcpServers = [], additionalDirectories = [], systemPrompt, meta } = setup;
  checkSent(method, decodeNewSessionRequest, { cwd, mcpServers, additionalDirectories, _meta: meta ?? {} });
  for (const path of [cwd, ...additionalDirectories]) {
    if (!isAbsolutePath(path)) throw new TypeError(`${method}: the path "${path}" is not absolute`);
  }
  const roots = [...new Set(additionalDirectories)].filter((path) => path !== cwd);
  const capability = "agentCapabilities.sessionCapabilities.additionalDirectories";
  if (roots.length > 0 && !peer.offers(capability))
    throw new CapabilityError(`${method} with additionalDirectories`, capability);
  return {
    cwd,
    mcpServers: mcpServers.filter((server) => supports(peer, method, server)),
    ...(roots.length > 0 && { additionalDirectories: roots }),
    ...systemPrompt?.paramsFor(peer, method),
    ...(meta && { _meta: meta }),
  };
}

/**
 * Returns whether the agent supports the transport of an MCP server. Every agent supports stdio; other transports have
 * to be advertised.
 */
function supports(peer: ClientPeer, method: string, server: McpServer): boolean {
  const { name, type } = server;
  if (type !== "http" && type !== "sse") return true;
  const capability = `agentCapabilities.mcpCapabilities.${type}`;
  if (peer.offers(capability)) return true;
  const message = `MCP server "${name}" was left out, because the agent supports no ${type} servers: it did not advertise ${capability}`;
  peer.report({ code: "mcp_server_left_out", message, method, data: { name, type, capability } });
  return false;
}
