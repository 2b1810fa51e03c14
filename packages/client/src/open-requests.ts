/**
 * The requests of the agent over one connection that wait for the user, and for each session a signal that aborts when
 * the session or the connection ends.
 */
export class OpenRequests {
  readonly #ended: Promise<unknown>;
  readonly #idOf: (sessionId: string) => string | undefined;
  /** For each session id, functions that each abort one request, with its tool call. */
  readonly #requests = new Map<string, Map<(reason: unknown) => void, string | undefined>>();
  /** Created on demand. */
  readonly #controllers = new Map<string, AbortController>();
  #gone: unknown;

  /**
   * @param ended a promise that resolves with the reason when the connection has ended.
   * @param idOf returns the id of the open session to which a session id belongs: its own, or that of a child session.
   */
  constructor(ended: Promise<unknown>, idOf: (sessionId: string) => string | undefined) {
    this.#ended = ended;
    this.#idOf = idOf;
  }

  /** Adds a request that waits for the user. The returned function removes it. */
  add(id: string, abort: (reason: unknown) => void, toolCallId?: string): () => void {
    const sessionId = this.#idOf(id) ?? id;
    const requests = this.#requests.get(sessionId) ?? new Map();
    this.#requests.set(sessionId, requests.set(abort, toolCallId));
    return () => {
      requests.delete(abort);
      if (requests.size === 0) this.#requests.delete(sessionId);
    };
  }

  /** Aborts the requests of a session for which `isMeant` returns `true`. */
  cancel(sessionId: string, message: string, isMeant: (toolCallId?: string) => boolean = () => true): void {
    for (const [abort, toolCallId] of [...(this.#requests.get(sessionId) ?? [])])
      if (isMeant(toolCallId)) abort(new DOMException(message, "AbortError"));
  }

  /** Aborts the requests of all sessions. */
  cancelAll(message: string): void {
    for (const sessionId of [...this.#requests.keys()]) this.cancel(sessionId, message);
  }

  /**
   * Aborts the requests and the signal of a session that was closed. A later session with the same id gets a new
   * signal.
   */
  close(sessionId: string): void {
    this.cancel(sessionId, "The session was closed");
    const controller = this.#controllers.get(sessionId);
    this.#controllers.delete(sessionId);
    controller?.abort(new DOMException("The session was closed", "AbortError"));
  }

  /**
   * Returns the signal of a session. Unknown sessions share one signal, so that an agent that invents ids uses no
   * memory.
   */
  signalOf(id: string): AbortSignal {
    const sessionId = this.#idOf(id) ?? "";
    let controller = this.#controllers.get(sessionId);
    if (controller === undefined) {
      if (this.#controllers.size === 0) void this.#ended.then((reason) => this.#abortAll(reason));
      controller = new AbortController();
      this.#controllers.set(sessionId, controller);
      if (this.#gone !== undefined) controller.abort(this.#gone);
    }
    return controller.signal;
  }

  #abortAll(reason: unknown): void {
    this.#gone = reason;
    for (const controller of this.#controllers.values()) controller.abort(reason);
  }
}
