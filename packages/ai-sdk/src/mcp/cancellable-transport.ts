import type { McpClientTransport } from "@acp-kit/mcp";

/** The members of a JSON-RPC message that make it a request. */
interface Outgoing {
  readonly id?: unknown;
  readonly method?: string;
}

/**
 * A transport that cancels the requests of `@ai-sdk/mcp` at the server. That library gives the signal of a request to
 * its transport and sends no `notifications/cancelled`; only its transport for HTTP cancels, by ending the request.
 */
export class CancellableTransport implements McpClientTransport {
  onmessage?: (message: object) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Whether version 2 of the library may try the era without `initialize`, which its transport for stdio says. */
  readonly supportsProtocolVersionDiscovery: boolean;
  readonly #inner: McpClientTransport;
  /** The functions that stop listening to the signals of open requests, by id: a turn has one signal for all calls. */
  readonly #open = new Map<unknown, () => void>();

  constructor(inner: McpClientTransport) {
    this.#inner = inner;
    this.supportsProtocolVersionDiscovery =
      "supportsProtocolVersionDiscovery" in inner && inner.supportsProtocolVersionDiscovery === true;
    inner.onmessage = (message) => {
      const { id, method } = message as Outgoing;
      if (method === undefined) this.#ended(id);
      this.onmessage?.(message);
    };
    inner.onclose = () => {
      for (const id of [...this.#open.keys()]) this.#ended(id);
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: object, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const { id, method } = message as Outgoing;
    if (signal !== undefined && id !== undefined && method !== undefined) {
      const cancel = (): void => {
        this.#ended(id);
        const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
        this.#inner.send(cancelled).catch(() => {}); // the server has ended
      };
      signal.addEventListener("abort", cancel, { once: true });
      this.#open.set(id, () => signal.removeEventListener("abort", cancel));
    }
    return this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #ended(id: unknown): void {
    this.#open.get(id)?.();
    this.#open.delete(id);
  }
}
