import type { SessionConfigOption } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";

/**
 * Returns the config options that a client supports: without the boolean options, if the client did not advertise
 * support for them.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-config-options
 */
export function withoutBooleans(peer: AgentPeer, options: readonly SessionConfigOption[]): SessionConfigOption[] {
  if (peer.offers("clientCapabilities.session.configOptions.boolean")) return [...options];
  return options.filter(({ type }) => type !== "boolean");
}
