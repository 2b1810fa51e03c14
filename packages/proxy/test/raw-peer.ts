import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { type AcpProxy, withProxies } from "@acp-kit/proxy";
import { rawPeer, type ScriptedPeer, type WireMessage } from "@acp-kit/testing";

export type Json = Record<string, unknown>;

/** A raw peer, and short names for what these tests do with it. */
export class RawPeer {
  readonly transport: Transport;
  /** Called with each received message, before the next message is received. */
  onMessage: (message: WireMessage) => void = () => {};
  end: "open" | "ended" | { readonly error: unknown } = "open";
  /** Resolves when the transport has ended. */
  readonly ended: Promise<void>;
  readonly #peer: ScriptedPeer;

  constructor(transport: Transport) {
    this.transport = transport;
    this.#peer = rawPeer(transport, { onMessage: (message) => this.onMessage(message) });
    this.ended = this.#peer.closed.then(({ how, error }) => {
      this.end = how === "failed" ? { error } : "ended";
    });
  }

  send(message: object): void {
    this.#peer.send(message);
  }

  request(id: unknown, method: string, params?: unknown): void {
    this.send({ id, method, params });
  }

  notify(method: string, params?: unknown): void {
    this.#peer.notify(method, params);
  }

  /** Sends a chunk of the agent's message. */
  chunk(text: string, sessionId = "s"): void {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    this.notify("session/update", { sessionId, update });
  }

  respond(id: unknown, result: unknown): void {
    this.send({ id, result });
  }

  fail(id: unknown, error: object): void {
    this.send({ id, error });
  }

  get received(): readonly WireMessage[] {
    return this.#peer.receivedSoFar();
  }

  /** The methods of the received messages, and the ids of responses. */
  get names(): unknown[] {
    return this.received.map(({ method, id }) => method ?? id);
  }

  of(method: string): readonly WireMessage[] {
    return this.#peer.receivedSoFar(method);
  }

  /** The params of the last received message of a method. */
  params(method: string): Json {
    return this.#peer.lastReceived(method).params as Json;
  }

  /** The id of the last received request of a method. */
  idOf(method: string): unknown {
    return this.of(method).at(-1)?.id;
  }

  responses(id: unknown): WireMessage[] {
    return this.received.filter((message) => message.method === undefined && message.id === id);
  }

  response(id: unknown): WireMessage {
    const found = this.#peer.responseTo(id);
    if (found === undefined) throw new Error(`no response ${id}, only ${JSON.stringify(this.received)}`);
    return found;
  }

  /** The texts of the received chunks. */
  texts(sessionId = "s"): string[] {
    return this.of("session/update")
      .map(({ params }) => params as { sessionId: string; update: { content?: { text: string } } })
      .filter((params) => params.sessionId === sessionId)
      .map(({ update }) => update.content?.text ?? "");
  }
}

export interface RawChain {
  readonly client: RawPeer;
  readonly agent: RawPeer;
  /** Breaks the connection to the agent. */
  readonly breakAgent: (error: unknown) => void;
}

/** Connects two scripted peers through ACP proxies, which are beside the client or beside the agent. */
export function rawChain(proxies: readonly AcpProxy[], { beside = "client" as "client" | "agent" } = {}): RawChain {
  const [left, right] = linkedTransports();
  const breakAgent = (error: unknown): void => left.break(error);
  if (beside === "client")
    return { client: new RawPeer(withProxies(left, proxies)), agent: new RawPeer(right), breakAgent };
  const served = { connect: (transport: Transport) => new RawPeer(transport) };
  const agent = withProxies(served, proxies).connect(right);
  return { client: new RawPeer(left), agent, breakAgent };
}

/** Waits until all messages that are on their way have arrived. */
export async function delivered(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}

export const info = { name: "house-rules", version: "1.0.0" };

export const agentResult = {
  protocolVersion: 1,
  agentInfo: { name: "agent", version: "2" },
  agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
};

/** Sends `initialize`, and responds to it. */
export async function initialize(
  { client, agent }: RawChain,
  { capabilities = {}, result = agentResult }: { capabilities?: object; result?: object } = {},
): Promise<void> {
  client.request(0, "initialize", { protocolVersion: 1, clientCapabilities: capabilities });
  await delivered();
  agent.respond(agent.idOf("initialize"), result);
  await delivered();
}
