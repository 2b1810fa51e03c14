import type { GatewayClock } from "../clock.js";

/** Options of an {@link IdleTimer}. */
export interface IdleTimerOptions {
  readonly clock: GatewayClock;
  /** Returns how long the session may be idle from now on, in milliseconds. */
  readonly afterMs: () => number;
  /** Called when the session has been idle for that time. */
  readonly onIdle: () => void;
  /** Called when the session becomes idle. The returned function is called when the session is active again. */
  readonly whileIdle: () => () => void;
}

/** Calls `onIdle` when a session has been idle for `afterMs()` milliseconds. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #stop: (() => void) | undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** Starts the timer, unless it is running. */
  start(): void {
    this.#stop ??= this.#wait();
  }

  /** Stops the timer, because the session is active. */
  cancel(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #wait(): () => void {
    const { clock, afterMs, onIdle, whileIdle } = this.#options;
    const stopTimer = clock.after(afterMs(), onIdle);
    const idleEnded = whileIdle();
    return () => {
      stopTimer();
      idleEnded();
    };
  }
}
