import type { GatewayClock } from "../clock.js";

/** Calls `onIdle` when a session has been at rest for a time. */
export class IdleTimer {
  readonly #clock: GatewayClock;
  readonly #afterMs: number;
  readonly #onIdle: () => void;
  #stop: (() => void) | undefined;

  constructor(clock: GatewayClock, afterMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#afterMs = afterMs;
    this.#onIdle = onIdle;
  }

  /** Begins to wait. Does nothing while it waits already. */
  start(): void {
    this.#stop ??= this.#clock.after(this.#afterMs, this.#onIdle);
  }

  /** Something happens in the session: the time starts anew with the next {@link start}. */
  cancel(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
