import type { GatewayServer } from "@acp-kit/gateway/node";
import { webSocketAgent } from "@acp-kit/http/node";
import type { Message, Transport } from "@acp-kit/jsonrpc";

/** A response as received. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A WebSocket client that sends any message, valid or not, and keeps every received message. */
export class RpcCaller {
  /** Every received message, as JSON. */
  readonly received: string[] = [];
  /** Requests of the server. */
  readonly requests: { readonly id: unknown; readonly method: string }[] = [];
  /** The latest position that the server sent. */
  cursor = "";
  /** The id of this client on the server. */
  clientId = "";
  readonly #transport: Transport;
  readonly #waiting = new Map<unknown, (answer: Answer) => void>();
  readonly #looks = new Set<() => void>();
  #id = 0;

  private constructor(transport: Transport) {
    this.#transport = transport;
    transport.start({
      message: (value) => this.#message(value as Record<string, unknown>),
      malformed: () => {},
      ended: () => this.#end(),
      failed: () => this.#end(),
    });
  }

  /** @param meta members of the `_meta` of `initialize`, without their prefix. */
  static async open(
    { webSocketUrl }: GatewayServer,
    token: string,
    meta: Record<string, unknown> = {},
  ): Promise<RpcCaller> {
    const agent = webSocketAgent(webSocketUrl, { token, reconnect: false });
    const caller = new RpcCaller(await agent.open());
    const named = Object.fromEntries(Object.entries(meta).map(([name, value]) => [`acp-kit/${name}`, value]));
    const { result } = await caller.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { _meta: { "acp-kit/cursors": true } },
      ...(Object.keys(named).length > 0 && { _meta: named }),
    });
    caller.clientId = String(
      (result as { _meta?: Record<string, unknown> } | undefined)?._meta?.["acp-kit/client"] ?? "",
    );
    return caller;
  }

  request(method: string, params: unknown): Promise<Answer> {
    this.#id += 1;
    const id = this.#id;
    this.send({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  notify(method: string, params: unknown): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  send(message: unknown): void {
    this.#transport.send(message as Message);
  }

  /** Resolves when the condition holds. It is checked after each message. */
  until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isDone()) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #message(message: Record<string, unknown>): void {
    const text = JSON.stringify(message);
    this.received.push(text);
    this.cursor = /"acp-kit\/cursor":"([^"]+)"/.exec(text)?.[1] ?? this.cursor;
    if (typeof message.method === "string") {
      if ("id" in message) this.requests.push({ id: message.id, method: message.method });
    } else {
      this.#waiting.get(message.id)?.(message as Answer);
      this.#waiting.delete(message.id);
    }
    for (const look of this.#looks) look();
  }

  #end(): void {
    for (const resolve of this.#waiting.values()) resolve({ error: { code: 0, message: "the connection has ended" } });
    this.#waiting.clear();
  }
}
