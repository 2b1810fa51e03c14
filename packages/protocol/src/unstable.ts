// The roles of protocol version 1 with its unstable methods. They need `@acp-kit/schema`, an optional peer dependency.
import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from "@acp-kit/schema/unstable";
import { agentDecoders, agentGates, clientDecoders, clientGates } from "@acp-kit/schema/unstable/decode";
import type { PeerRole } from "./role.js";

/**
 * The method types of an agent: it sends the methods that clients handle, and handles the methods that clients send.
 */
export interface V1UnstableAgentCalls {
  readonly requests: ClientRequests;
  readonly notifications: ClientNotifications;
  readonly incomingRequests: AgentRequests;
  readonly incomingNotifications: AgentNotifications;
}

/** The method types of a client: it sends the methods that agents handle, and handles the methods that agents send. */
export interface V1UnstableClientCalls {
  readonly requests: AgentRequests;
  readonly notifications: AgentNotifications;
  readonly incomingRequests: ClientRequests;
  readonly incomingNotifications: ClientNotifications;
}

/**
 * The role of an agent of protocol version 1 with its unstable methods and members, which may change in any release. It
 * needs the package `@acp-kit/schema`.
 */
export const v1UnstableAgent: PeerRole<V1UnstableAgentCalls> = {
  side: "agent",
  protocolVersion: 1,
  calls: [clientGates],
  decoders: agentDecoders,
};

/**
 * The role of a client of protocol version 1 with its unstable methods and members, which may change in any release. It
 * needs the package `@acp-kit/schema`.
 */
export const v1UnstableClient: PeerRole<V1UnstableClientCalls> = {
  side: "client",
  protocolVersion: 1,
  calls: [agentGates],
  ordered: new Set(["session/prompt", "session/load"]), // the response is the end of their updates
  decoders: clientDecoders,
};
