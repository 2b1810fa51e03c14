import {
  type Diagnostic,
  type LinkedTransport,
  linkedTransports,
  Peer,
  type V1AgentCalls,
  v1Agent,
} from "@acp-kit/protocol";
import type { InitializeResponse, SessionUpdate } from "@acp-kit/types";
import { onTestFinished } from "vitest";
import type { AgentConnection } from "../src/agent-connection.js";
import type { AgentSource } from "../src/agent-link.js";
import { connectAgent } from "../src/connect-agent.js";
import type { ConnectAgentOptions } from "../src/connect-options.js";

export type AgentPeer = Peer<V1AgentCalls>;

export interface Script extends ConnectAgentOptions {
  /** Registers the agent's handlers. Called at each start of the agent; `life` is 1 at the first start, then 2, … */
  readonly agent?: (peer: AgentPeer, life: number) => void;
  readonly answer?: Partial<InitializeResponse>;
  /** Whether the agent can be started again. */
  readonly restarts?: boolean;
}

export interface Scripted {
  readonly connection: AgentConnection;
  /** The messages that the agent received, over all its starts. */
  readonly received: { readonly method: string; readonly params: unknown }[];
  readonly diagnostics: Diagnostic[];
  /** The current agent. */
  readonly peer: () => AgentPeer;
  die(): void;
  methods(): string[];
}

/** Connects a client to an agent whose every response the test controls. */
export async function scripted({ agent, answer, restarts = false, ...options }: Script = {}): Promise<Scripted> {
  const received: Scripted["received"] = [];
  const lives: { readonly peer: AgentPeer; readonly wire: LinkedTransport }[] = [];
  const open = async (): Promise<LinkedTransport> => {
    const [agentSide, clientSide] = linkedTransports();
    const peer: AgentPeer = new Peer(agentSide, v1Agent, {
      tap({ direction, message }) {
        const { method, params } = message as { method?: string; params?: unknown };
        if (direction === "received" && method !== undefined) received.push({ method, params });
      },
    });
    peer.handle("initialize", ({ clientCapabilities }) => {
      peer.setAgreement({ protocolVersion: 1, capabilities: clientCapabilities });
      return { protocolVersion: 1, ...answer };
    });
    peer.handle("session/new", () => ({ sessionId: "s1" }));
    lives.push({ peer, wire: agentSide });
    agent?.(peer, lives.length);
    peer.connection.listen();
    return clientSide;
  };
  const source: AgentSource = { open, close: async () => {} };
  const diagnostics: Diagnostic[] = [];
  const connection = await connectAgent(restarts ? source : await open(), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  onTestFinished(async () => {
    await connection.close();
    for (const { peer } of lives) await peer.connection.close();
  });
  const current = (): (typeof lives)[number] => {
    const life = lives.at(-1);
    if (life === undefined) throw new Error("the agent was never started");
    return life;
  };
  return {
    connection,
    received,
    diagnostics,
    peer: () => current().peer,
    die: () => current().wire.break(new Error("killed by SIGKILL")),
    methods: () => received.map(({ method }) => method),
  };
}

export const chunk = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});
