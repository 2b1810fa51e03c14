import { linkedTransports, type Message, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { type AcpProxy, withProxies } from "@acp-kit/proxy";

export type Json = Record<string, unknown>;

/** A scripted peer that sends any message and records all messages that it receives. */
export class RawPeer {
  readonly received: Json[] = [];
  readonly malformed: string[] = [];
  readonly transport: Transport;
  end: "open" | "ended" | { readonly error: unknown } = "open";
  /** Runs for each received message, at once. */
  onMessage: (message: Json) => void = () => {};

  /** Resolves when the transport has ended. */
  readonly ended: Promise<void>;

  constructor(transport: Transport) {
    const ended = deferred();
    this.ended = ended.promise;
    this.transport = transport;
    transport.start({
      message: (value) => {
        this.received.push(value as Json);
        this.onMessage(value as Json);
      },
      malformed: ({ message }) => this.malformed.push(message),
      ended: () => {
        this.end = "ended";
        ended.resolve();
      },
      failed: (error) => {
        this.end = { error };
        ended.resolve();
      },
    });
  }

  send(message: object): void {
    this.transport.send({ jsonrpc: "2.0", ...message } as Message);
  }

  request(id: unknown, method: string, params?: unknown): void {
    this.send({ id, method, ...(params !== undefined && { params }) });
  }

  notify(method: string, params?: unknown): void {
    this.send({ method, ...(params !== undefined && { params }) });
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

  /** The methods of the received messages, and the ids of responses. */
  get names(): unknown[] {
    return this.received.map(({ method, id }) => method ?? id);
  }

  of(method: string): Json[] {
    return this.received.filter((message) => message.method === method);
  }

  /** The params of the last received message of a method. */
  params(method: string): Json {
    const found = this.of(method).at(-1);
    if (found === undefined) throw new Error(`${method} was not received, only ${JSON.stringify(this.received)}`);
    return found.params as Json;
  }

  /** The id of the last received request of a method. */
  idOf(method: string): unknown {
    return this.of(method).at(-1)?.id;
  }

  responses(id: unknown): Json[] {
    return this.received.filter((message) => message.method === undefined && message.id === id);
  }

  response(id: unknown): { result?: never; error?: { code: number; message: string; data?: never } } {
    const [found] = this.responses(id);
    if (found === undefined) throw new Error(`no response ${id}, only ${JSON.stringify(this.received)}`);
    return found as never;
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
