import { after } from "./timer.js";

/** What the caller's signal does to a request. */
export interface AbortActions {
  readonly cancelTimeoutMs: number;
  /** Asks the peer to cancel. */
  cancel(): void;
  /** Settles the request. */
  reject(reason: unknown): void;
}

/** Lets a caller's signal cancel a request: the peer is asked, and when it doesn't answer in time, the request rejects. */
export class AbortHandling {
  readonly #signal: AbortSignal;
  readonly #actions: AbortActions;
  #stopped = false;
  #endGrace: (() => void) | undefined;

  constructor(signal: AbortSignal, actions: AbortActions) {
    this.#signal = signal;
    this.#actions = actions;
  }

  /** Begins once the request is sent. The signal may have aborted meanwhile: taps and `toJSON` run while a message is being sent. */
  start(): void {
    if (this.#signal.aborted) this.#onAbort();
    else this.#signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The request has settled. */
  stop(): void {
    this.#stopped = true;
    this.#endGrace?.();
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => {
    const { cancelTimeoutMs, cancel, reject } = this.#actions;
    cancel();
    if (this.#stopped) return; // asking to cancel found that the connection is over
    this.#endGrace = after(cancelTimeoutMs, () => reject(this.#signal.reason));
  };
}
