import type { GatewayClock } from "../clock.js";

/** Options of an {@link IdleTimer}. */
export interface IdleTimerOptions {
  readonly clock: GatewayClock;
  readonly afterMs: number;
  /** Called when the time is over. */
  readonly onIdle: () => void;
  /** Called when the wait begins. The returned function is called when it ends. */
  readonly whileIdle: () => () => void;
}

/** Calls `onIdle` when a session was idle for a time. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #stop: (() => void) | undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Starts the time, unless it is running. */
  start(): void {
    this.#stop ??= this.#wait();
  }

  /** Stops the time, because the session is active. */
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
