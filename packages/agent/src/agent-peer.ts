import type { Peer, V1AgentCalls } from "@acp-kit/protocol";

/** The typed JSON-RPC connection of an agent to its client. */
export type AgentPeer = Peer<V1AgentCalls>;
