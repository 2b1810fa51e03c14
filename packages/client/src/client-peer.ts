import type { Peer, V1ClientCalls } from "@acp-kit/protocol";

/** The typed JSON-RPC connection of a client to its agent. */
export type ClientPeer = Peer<V1ClientCalls>;
