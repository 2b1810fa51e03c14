import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from "@acp-kit/types";
import { agentDecoders, agentGates, clientDecoders, clientGates } from "@acp-kit/types/decode";
import type { PeerRole } from "./role.js";

/**
 * The method types of an agent: it sends the methods that clients handle, and handles the methods that clients send.
 */
export interface V1AgentCalls {
  readonly requests: ClientRequests;
  readonly notifications: ClientNotifications;
  readonly incomingRequests: AgentRequests;
  readonly incomingNotifications: AgentNotifications;
}

/** The method types of a client: it sends the methods that agents handle, and handles the methods that agents send. */
export interface V1ClientCalls {
  readonly requests: AgentRequests;
  readonly notifications: AgentNotifications;
  readonly incomingRequests: ClientRequests;
  readonly incomingNotifications: ClientNotifications;
}

/** The role of an agent of stable protocol version 1. */
export const v1Agent: PeerRole<V1AgentCalls> = {
  side: "agent",
  protocolVersion: 1,
  calls: [clientGates],
  decoders: agentDecoders,
};

/** The role of a client of stable protocol version 1. */
export const v1Client: PeerRole<V1ClientCalls> = {
  side: "client",
  protocolVersion: 1,
  calls: [agentGates],
  ordered: new Set(["session/prompt", "session/load"]), // the response is the end of their updates
  decoders: clientDecoders,
};
