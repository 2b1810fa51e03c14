import { onAbort } from "./on-abort.js";
import { after } from "./timer.js";

/** The functions with which an {@link AbortHandling} cancels or rejects its request, and the time between the two. */
export interface AbortActions {
  readonly cancelTimeoutMs: number;
  /** Sends `$/cancel_request` to the peer. */
  cancel(): void;
  /** Rejects the request with the signal's reason. */
  reject(reason: unknown): void;
}

/** When the caller's signal aborts: sends `$/cancel_request`, and rejects if no response arrives in time. */
export class AbortHandling {
  readonly #signal: AbortSignal;
  readonly #actions: AbortActions;
  #stopped = false;
  #endGrace: (() => void) | undefined;

  constructor(signal: AbortSignal, actions: AbortActions) {
    this.#signal = signal;
    this.#actions = actions;
  }

  /**
   * Starts to listen to the signal. Called once the request has been sent. The signal can already have aborted, because
   * taps and `toJSON` run while a message is being sent.
   */
  start(): void {
    onAbort(this.#signal, this.#onAbort);
  }

  /** Removes the listener of the signal and stops the timer. Called when the request has settled. */
  stop(): void {
    this.#stopped = true;
    this.#endGrace?.();
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => {
    const { cancelTimeoutMs, cancel, reject } = this.#actions;
    cancel();
    if (this.#stopped) return; // during `cancel`, the connection ended, which has settled the request
    this.#endGrace = after(cancelTimeoutMs, () => reject(this.#signal.reason));
  };
}
