/** Creates one signal per session of a connection, on demand. The signal aborts when the session or the connection ends. */
export class SessionSignals {
  readonly #ended: Promise<unknown>;
  readonly #isOpen: (sessionId: string) => boolean;
  readonly #controllers = new Map<string, AbortController>();
  #gone: unknown;

  /** `ended` is a promise that resolves with the reason when the connection has ended. */
  constructor(ended: Promise<unknown>, isOpen: (sessionId: string) => boolean) {
    this.#ended = ended;
    this.#isOpen = isOpen;
  }

  /** Returns the signal of a session. Unknown sessions share one signal, so that an agent that invents ids uses no memory. */
  get(id: string): AbortSignal {
    const sessionId = this.#isOpen(id) ? id : "";
    let controller = this.#controllers.get(sessionId);
    if (controller === undefined) {
      if (this.#controllers.size === 0) void this.#ended.then((reason) => this.#abortAll(reason));
      controller = new AbortController();
      this.#controllers.set(sessionId, controller);
      if (this.#gone !== undefined) controller.abort(this.#gone);
    }
    return controller.signal;
  }

  /** Aborts the signal of a closed session. A later session with the same id gets a new signal. */
  abort(sessionId: string): void {
    const controller = this.#controllers.get(sessionId);
    this.#controllers.delete(sessionId);
    controller?.abort(new DOMException("The session was closed", "AbortError"));
  }

  #abortAll(reason: unknown): void {
    this.#gone = reason;
    for (const controller of this.#controllers.values()) controller.abort(reason);
  }
}
