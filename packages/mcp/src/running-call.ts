import type { JsonObject } from "@acp-kit/jsonrpc/internal";
import type { McpRequest } from "./mcp-source.js";

/** A running call of a server, as its handler gets it. The signal is created when the handler reads it. */
export class RunningCall implements McpRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly #notify: McpRequest["notify"];
  readonly #onAborted: () => void;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #isDone = false;

  /** @param onAborted called once, when the call is aborted before it has ended. */
  constructor({ method, params, notify }: Pick<McpRequest, "method" | "params" | "notify">, onAborted: () => void) {
    this.method = method;
    this.params = params;
    this.#notify = notify;
    this.#onAborted = onAborted;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** Sends a notification, unless the call has ended. It is a member function, so that handlers can take it apart. */
  readonly notify = (method: string, params: JsonObject): void => {
    if (!this.#isDone) this.#notify(method, params);
  };

  abort(reason: unknown): void {
    if (this.#isDone || this.#aborted !== undefined) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
    this.#onAborted();
  }

  /** Called when the call has ended. */
  done(): void {
    this.#isDone = true;
  }
}
