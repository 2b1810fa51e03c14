import { linkedTransports, type Message, type Transport } from "@acp-kit/jsonrpc";

export type Json = Record<string, unknown>;

/** A scripted agent: it answers what opens and ends sessions, and sends any message that a test wants. */
export class ScriptedAgent {
  readonly client: Transport;
  readonly received: Json[] = [];
  /** The result of each method. */
  readonly results: Record<string, (params: Json) => unknown>;
  readonly #transport: Transport;
  readonly #waiting = new Map<unknown, (response: Json) => void>();
  #sessions = 0;
  #requests = 0;

  constructor(mcpCapabilities: Json = { acp: true }, link: [Transport, Transport] = linkedTransports()) {
    [this.client, this.#transport] = link;
    this.results = {
      initialize: () => ({
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: true,
          mcpCapabilities,
          sessionCapabilities: { resume: {}, close: {}, fork: {}, delete: {} },
        },
      }),
      "session/new": () => ({ sessionId: this.#newId() }),
      "session/fork": () => ({ sessionId: this.#newId() }),
      "session/load": () => ({}),
      "session/resume": () => ({}),
      "session/close": () => ({}),
      "session/delete": () => ({}),
      "session/prompt": () => ({ stopReason: "end_turn" }),
    };
    this.#transport.start({
      message: (value) => void this.#receive(value as Json),
      malformed: () => {},
      ended: () => {},
      failed: () => {},
    });
  }

  /** The servers of the latest request with this method. */
  declared(method = "session/new"): Json[] {
    const last = this.received.findLast((message) => message.method === method);
    return ((last?.params as Json | undefined)?.mcpServers ?? []) as Json[];
  }

  /** The notifications that the servers have sent. */
  get notifications(): Json[] {
    return this.received.filter(({ method }) => method === "mcp/message").map(({ params }) => params as Json);
  }

  send(message: Json): void {
    this.#transport.send({ jsonrpc: "2.0", ...message } as unknown as Message);
  }

  /** Sends a request and returns its response. */
  request(method: string, params: unknown, id: unknown = `agent-${this.#requests++}`): Promise<Json> {
    const response = new Promise<Json>((resolve) => this.#waiting.set(id, resolve));
    this.send({ id, method, params });
    return response;
  }

  /** Calls a server as the revision 2026-07-28 of MCP requires. */
  call(serverId: unknown, method: string, params: Json = {}, id?: string): Promise<Json> {
    const { _meta, ...others } = params;
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...(_meta as Json | undefined),
    };
    this.#requests += 1;
    const requestId = `request-${this.#requests}`;
    return this.request("mcp/message", { serverId, requestId, method, params: { ...others, _meta: meta } }, id);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #receive(message: Json): Promise<void> {
    this.received.push(message);
    const { id, method, params } = message;
    if (method === undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (id !== undefined) {
      const result = await this.results[method as string]?.((params ?? {}) as Json);
      this.send(
        result === undefined ? { id, error: { code: -32601, message: "Method not found" } } : { id, result: result },
      );
    }
  }

  #newId(): string {
    this.#sessions += 1;
    return `session-${this.#sessions}`;
  }
}
