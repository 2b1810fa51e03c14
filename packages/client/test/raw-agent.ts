import { linkedTransports } from "@acp-kit/protocol";
import { rawPeer, type ScriptedPeer, type WireMessage } from "@acp-kit/testing";
import type { InitializeResponse } from "@acp-kit/types";
import { onTestFinished } from "vitest";
import type { AgentConnection } from "../src/agent-connection.js";
import { connectAgent } from "../src/connect-agent.js";
import type { ConnectAgentOptions } from "../src/connect-options.js";

export type RawAgent = ScriptedPeer & { readonly connection: AgentConnection };

export interface RawScript extends ConnectAgentOptions {
  readonly answer?: Partial<InitializeResponse>;
  /** Returns the messages that the agent sends, together, when it has received a message. */
  readonly react?: (message: WireMessage) => readonly object[];
}

/** Connects a client to an agent that responds only to `initialize`: the test decides about the order of messages. */
export async function rawAgent({ answer, react = () => [], ...options }: RawScript): Promise<RawAgent> {
  const [agentSide, clientSide] = linkedTransports();
  const agent = rawPeer(agentSide, {
    onMessage: (message, peer) => {
      const { id, method } = message;
      peer.send(...(method === "initialize" ? [{ id, result: { protocolVersion: 1, ...answer } }] : react(message)));
    },
  });
  const connection = await connectAgent(clientSide, options);
  onTestFinished(() => connection.close());
  return Object.assign(agent, { connection });
}

/** An update of the session `s1`. */
export const updates = (update: unknown, sessionId = "s1"): WireMessage => ({
  method: "session/update",
  params: { sessionId, update },
});

export const says = (text: string): WireMessage =>
  updates({ sessionUpdate: "agent_message_chunk", messageId: text, content: { type: "text", text } });
