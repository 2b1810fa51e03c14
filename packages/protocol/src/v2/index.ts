// The roles of protocol version 2, whose callers and handlers use the form of its messages. For proxies and test kits.
import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from "@acp-kit/types/v2";
import { agentDecoders, agentGates, clientDecoders, clientGates } from "@acp-kit/types/v2/decode";
import type { PeerRole } from "../role.js";

/**
 * The method types of an agent: it sends the methods that clients handle, and handles the methods that clients send.
 */
export interface V2AgentCalls {
  readonly requests: ClientRequests;
  readonly notifications: ClientNotifications;
  readonly incomingRequests: AgentRequests;
  readonly incomingNotifications: AgentNotifications;
}

/** The method types of a client: it sends the methods that agents handle, and handles the methods that agents send. */
export interface V2ClientCalls {
  readonly requests: AgentRequests;
  readonly notifications: AgentNotifications;
  readonly incomingRequests: ClientRequests;
  readonly incomingNotifications: ClientNotifications;
}

/**
 * The role of an agent of protocol version 2. The capabilities for `setAgreement` are the member `capabilities` of
 * `initialize`.
 */
export const v2Agent: PeerRole<V2AgentCalls> = {
  side: "agent",
  protocolVersion: 2,
  calls: [clientGates],
  decoders: agentDecoders,
};

/**
 * The role of a client of protocol version 2. The capabilities for `setAgreement` are the member `capabilities` of
 * `initialize`.
 */
export const v2Client: PeerRole<V2ClientCalls> = {
  side: "client",
  protocolVersion: 2,
  calls: [agentGates],
  ordered: new Set(["session/prompt", "session/resume"]), // the updates before the response are the history
  decoders: clientDecoders,
};
