import { Connection, type RequestContext, type Transport } from "@acp-kit/jsonrpc";

/** A message that a client received. */
export interface Received {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A request of the agent that waits for the test to respond. */
export interface OpenRequest extends Received {
  readonly signal: AbortSignal;
  respond(result: unknown): void;
  fail(error: unknown): void;
}

/** A client that a test controls. It records all messages, and responds only when the test responds. */
export class RawClient {
  readonly connection: Connection;
  /** Updates and responses, in the order in which they arrived. */
  readonly log: string[] = [];
  readonly updates: Received[] = [];
  readonly requests: OpenRequest[] = [];
  readonly #waiting: { readonly isDone: () => boolean; readonly resolve: () => void }[] = [];

  constructor(transport: Transport) {
    this.connection = new Connection(transport, {
      fallback: {
        request: (method) => ({ handler: (params, context) => this.#requested(method, params, context) }),
        notification: (method) => ({
          handler: (params) => {
            const received = { method, params: params as Record<string, unknown> };
            this.updates.push(received);
            this.log.push(describe(received));
            this.#check();
          },
        }),
      },
    });
    this.connection.listen();
  }

  async initialize(clientCapabilities: object = {}): Promise<Record<string, unknown>> {
    return (await this.connection.request("initialize", { protocolVersion: 1, clientCapabilities })) as Record<
      string,
      unknown
    >;
  }

  async request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    try {
      const result = (await this.connection.request(method, params)) as Record<string, unknown>;
      this.log.push(`${method} -> ${String(result.stopReason ?? "ok")}`);
      return result;
    } finally {
      this.#check();
    }
  }

  async newSession(params: object = {}): Promise<string> {
    const { sessionId } = await this.request("session/new", { cwd: "/work", mcpServers: [], ...params });
    return sessionId as string;
  }

  prompt(sessionId: string, text: string, meta?: object): Promise<Record<string, unknown>> {
    const prompt = [{ type: "text", text }];
    return this.request("session/prompt", { sessionId, prompt, ...(meta && { _meta: meta }) });
  }

  load(sessionId: string): Promise<Record<string, unknown>> {
    return this.request("session/load", { sessionId, cwd: "/work", mcpServers: [] });
  }

  resume(sessionId: string, meta?: object): Promise<Record<string, unknown>> {
    return this.request("session/resume", { sessionId, cwd: "/work", mcpServers: [], ...(meta && { _meta: meta }) });
  }

  /** Resolves when a condition holds. The condition is checked after each received message. */
  until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ isDone, resolve });
      this.#check();
    });
  }

  /** The text of the agent's messages so far. */
  get text(): string {
    return textsOf(this.updates, "agent_message_chunk");
  }

  #requested(method: string, params: unknown, { signal }: RequestContext): Promise<unknown> {
    return new Promise((respond, fail) => {
      signal.addEventListener("abort", () => {
        this.log.push(`${method} cancelled`);
        this.#check();
        fail(signal.reason);
      });
      this.requests.push({ method, params: params as Record<string, unknown>, signal, respond, fail });
      this.log.push(`${method}?`);
      this.#check();
    });
  }

  #check(): void {
    for (const waiting of [...this.#waiting])
      if (waiting.isDone()) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.resolve();
      }
  }
}

export function textsOf(updates: readonly Received[], kind: string): string {
  return updates
    .map(({ params }) => params.update as { sessionUpdate?: string; content?: { text?: string } } | undefined)
    .filter((update) => update?.sessionUpdate === kind)
    .map((update) => update?.content?.text ?? "")
    .join("");
}

function describe({ method, params }: Received): string {
  const update = params.update as Record<string, unknown> | undefined;
  if (method !== "session/update" || update === undefined) return method;
  const { sessionUpdate, content, _meta, ...rest } = update;
  const text = (content as { text?: string } | undefined)?.text;
  const turn = (_meta as Record<string, unknown> | undefined)?.["acp-kit/turn"];
  if (turn !== undefined) return `turn ${String(turn)}`;
  if (text !== undefined) return `${sessionUpdate === "user_message_chunk" ? "user" : "agent"}: ${text}`;
  return `${String(sessionUpdate)} ${JSON.stringify(rest)}`;
}
