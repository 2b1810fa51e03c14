import type { SessionConfigOption } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";

/**
 * Returns the config options that a client supports. If the client did not advertise boolean options, the list contains
 * none, and the agent uses their defaults.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-config-options
 */
export function withoutBooleans(peer: AgentPeer, options: readonly SessionConfigOption[]): SessionConfigOption[] {
  if (peer.offers("clientCapabilities.session.configOptions.boolean")) return [...options];
  return options.filter(({ type }) => type !== "boolean");
}
