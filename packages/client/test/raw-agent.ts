import { type LinkedTransport, linkedTransports } from "@acp-kit/protocol";
import type { InitializeResponse } from "@acp-kit/types";
import { onTestFinished } from "vitest";
import type { AgentConnection } from "../src/agent-connection.js";
import { connectAgent } from "../src/connect-agent.js";
import type { ConnectAgentOptions } from "../src/connect-options.js";

/** A message without `jsonrpc`. */
export interface RawMessage {
  readonly id?: string | number | undefined;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface RawAgent {
  readonly connection: AgentConnection;
  /** The messages that the agent received. */
  readonly received: RawMessage[];
  /** Sends messages that the client receives together, as from one chunk of bytes. */
  send(...messages: RawMessage[]): void;
  /** Resolves with the next received message of this method. */
  next(method: string): Promise<RawMessage>;
}

export interface RawScript extends ConnectAgentOptions {
  readonly answer?: Partial<InitializeResponse>;
  /** Returns the messages that the agent sends, together, when it has received a message. */
  readonly react?: (message: RawMessage) => readonly RawMessage[];
}

/** Connects a client to an agent that writes its messages itself, so that a test decides about their order. */
export async function rawAgent({ answer, react = () => [], ...options }: RawScript): Promise<RawAgent> {
  const [agentSide, clientSide] = linkedTransports();
  const received: RawMessage[] = [];
  const awaited: { readonly method: string; readonly resolve: (message: RawMessage) => void }[] = [];
  const send = (...messages: RawMessage[]): void => {
    for (const message of messages)
      agentSide.send({ jsonrpc: "2.0", ...message } as Parameters<LinkedTransport["send"]>[0]);
  };
  agentSide.start({
    message(message: RawMessage) {
      const { id, method } = message;
      received.push(message);
      for (const one of awaited.filter((one) => one.method === method)) {
        awaited.splice(awaited.indexOf(one), 1);
        one.resolve(message);
      }
      if (method === "initialize") send({ id, result: { protocolVersion: 1, ...answer } });
      else send(...react(message));
    },
    malformed() {},
    ended() {},
    failed() {},
  });
  const connection = await connectAgent(clientSide, options);
  onTestFinished(() => connection.close());
  return {
    connection,
    received,
    send,
    next: (method) => new Promise((resolve) => awaited.push({ method, resolve })),
  };
}

/** An update of the session `s1`. */
export const updates = (update: unknown, sessionId = "s1"): RawMessage => ({
  method: "session/update",
  params: { sessionId, update },
});

export const says = (text: string): RawMessage =>
  updates({ sessionUpdate: "agent_message_chunk", messageId: text, content: { type: "text", text } });
