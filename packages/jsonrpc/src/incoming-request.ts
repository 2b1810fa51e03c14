import type { RequestId } from "./message.js";

/** The second argument of a request handler. */
export interface RequestContext {
  readonly id: RequestId;
  readonly method: string;
  /**
   * A signal that aborts when the peer cancels the request or when the connection ends. Its reason is an `RpcError`
   * with the code `-32800` or a `ConnectionError`. If the handler then throws an `RpcError`, the peer gets that
   * error; for any other error, it gets `-32800`. If the handler returns, the peer gets the result as usual.
   */
  readonly signal: AbortSignal;
  /**
   * Runs `action` after the response has been passed to the transport. If the response is an error, `action` never
   * runs. You can call it without the context object, for example after `const { afterResponse } = context`.
   */
  readonly afterResponse: (action: () => void) => void;
}

/**
 * A request of the peer, from its arrival to its response. It is also the context that its handler receives. The signal
 * and the list of actions after the response are created at their first use, because most handlers use neither.
 */
export class IncomingRequest implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** Whether the handler was called. Until then, the request is queued in its lane. */
  started = false;
  /** Whether the response was sent, or will never be sent because the connection has ended. */
  hasResponse = false;
  /** The index of the request among the open requests. */
  place = -1;
  /** The actions that the handler has registered to run after the response. */
  actions: (() => void)[] | undefined = undefined;
  #controller: AbortController | undefined;
  #reason: { readonly value: unknown } | undefined;

  constructor(id: RequestId, method: string, params: unknown) {
    this.id = id;
    this.method = method;
    this.params = params;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason.value);
    }
    return this.#controller.signal;
  }

  get afterResponse(): (action: () => void) => void {
    return (action) => {
      this.actions ??= [];
      this.actions.push(action);
    };
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** Aborts the signal. Only the first call has an effect. */
  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = { value: reason };
    this.#controller?.abort(reason);
  }
}
