import type { GatewayClock } from "../clock.js";

/** What an {@link IdleTimer} does. */
export interface IdleTimerOptions {
  readonly clock: GatewayClock;
  readonly afterMs: number;
  /** The time is over. */
  readonly onIdle: () => void;
  /** Called when the wait begins. Returns what to call when it ends. */
  readonly whileIdle: () => () => void;
}

/** Calls `onIdle` when a session has been at rest for a time. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #stop: (() => void) | undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Begins to wait. Does nothing while it waits already. */
  start(): void {
    this.#stop ??= this.#wait();
  }

  /** Something happens in the session: the time starts anew with the next {@link start}. */
  cancel(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #wait(): () => void {
    const { clock, afterMs, onIdle, whileIdle } = this.#options;
    const stopTimer = clock.after(afterMs, onIdle);
    const idleEnded = whileIdle();
    return () => {
      stopTimer();
      idleEnded();
    };
  }
}
