import type { RequestId } from "./message.js";

/** What a request handler knows about its request beside the params. */
export interface RequestContext {
  readonly id: RequestId;
  readonly method: string;
  /**
   * Aborts when the peer cancels the request (the reason is an `RpcError` with code `-32800`) or when the connection ends
   * (a `ConnectionError`). A handler that throws after that is answered with `-32800`; one that returns is answered normally.
   */
  readonly signal: AbortSignal;
  /** Runs `action` once the answer has been handed to the transport; not at all when the answer is an error. Needs no `this`. */
  readonly afterAnswer: (action: () => void) => void;
}

/**
 * A request of the peer, from its arrival to its answer. It is the context of its handler, too: what most handlers never ask for
 * (the signal, what to do after the answer) is made when one does.
 */
export class IncomingRequest implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** Its handler was called. Until then it waits in its lane. */
  started = false;
  /** It has its one answer, or never gets one because the connection ended. */
  answered = false;
  /** Where it stands among the open requests. */
  place = -1;
  /** What its handler wants done after the answer. */
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

  get afterAnswer(): (action: () => void) => void {
    return (action) => {
      this.actions ??= [];
      this.actions.push(action);
    };
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** The first reason wins. */
  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = { value: reason };
    this.#controller?.abort(reason);
  }
}
