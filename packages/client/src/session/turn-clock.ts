import { after, type TimerOptions } from "@acp-kit/protocol/internal";

/** The deadlines of a turn, and the callbacks for when they pass. */
export interface TurnClockOptions {
  /** The time in milliseconds after which `onIdle` is called if the agent has sent nothing; 0 means no limit. */
  readonly idleTimeoutMs: number;
  /**
   * How long the agent may take to respond after a cancel, in milliseconds; then `onCancelTimeout` is called. 0 means
   * no limit.
   */
  readonly cancelTimeoutMs: number;
  /**
   * Returns whether a listener of the session is running. Messages of the agent, the response included, wait for it, so
   * a deadline that passes meanwhile says nothing about the agent.
   */
  readonly isHandling: () => boolean;
  /** Returns whether the connection reads nothing, because an application reads the updates of a turn too slowly. */
  readonly isPaused: () => boolean;
  /** Called when the agent has sent nothing for `idleTimeoutMs`. */
  readonly onIdle: () => void;
  /** Called when the agent has not responded within `cancelTimeoutMs` after a cancel. */
  readonly onCancelTimeout: () => void;
}

/** A process whose only task is a turn stays alive until the turn has ended. */
const keepAlive: TimerOptions = { keepAlive: true };

/**
 * The timers of a turn. The time during which the agent waits for a response of the client does not count as idle.
 * While a listener is running, no deadline passes; the deadline of a cancel waits for listeners only for another
 * `cancelTimeoutMs`.
 */
export class TurnClock {
  readonly #options: TurnClockOptions;
  /** A function that stops the idle timer. */
  #idle: (() => void) | undefined;
  /** A function that stops the timer of the cancelled turn. */
  #cancelled: (() => void) | undefined;
  /** Functions that start the timers again that have fired while a listener was running. */
  #postponed: (() => void)[] = [];
  #holds = 0;
  #running = false;

  constructor(options: TurnClockOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    this.touch();
  }

  /** Restarts the idle timer. Called when the agent has sent a message, and when the application has read one. */
  touch(): void {
    const { idleTimeoutMs, isPaused, onIdle } = this.#options;
    if (!this.#running || this.#holds > 0 || idleTimeoutMs <= 0) return;
    this.#idle?.();
    const passed = (): void => {
      if (isPaused()) this.touch();
      else if (!this.#postpones(() => this.touch())) onIdle();
    };
    this.#idle = after(idleTimeoutMs, passed, keepAlive);
  }

  /** Stops the idle timer until {@link release}. Called while the agent waits for a response of the client. */
  hold(): void {
    this.#holds += 1;
    this.#idle?.();
  }

  release(): void {
    this.#holds -= 1;
    this.touch();
  }

  /** Replaces the idle timer, because a cancelled turn has only the deadline of the cancel. */
  startCancelTimeout(): void {
    const { cancelTimeoutMs, onCancelTimeout } = this.#options;
    this.#running = false;
    this.#idle?.();
    if (cancelTimeoutMs <= 0 || this.#cancelled !== undefined) return;
    const check = (): void => {
      if (this.#cancelled !== undefined && !this.#postpones(again)) onCancelTimeout();
    };
    // In the next tick, because the response may have arrived while the listener was running.
    const again = (): void => void after(0, check, keepAlive);
    const passed = (): void => {
      // Listeners that never finish, and agents that never stop sending, must not keep a cancelled turn from settling.
      this.#cancelled = after(cancelTimeoutMs, onCancelTimeout, keepAlive);
      check();
    };
    this.#cancelled = after(cancelTimeoutMs, passed, keepAlive);
  }

  /** Called when the listeners of the session have finished. */
  onHandled(): void {
    for (const again of this.#postponed.splice(0)) again();
  }

  stop(): void {
    this.#running = false;
    this.#idle?.();
    this.#cancelled?.();
    this.#cancelled = undefined; // allows the clock to be started again
    this.#postponed = [];
  }

  /** If a listener is running, calls `again` when it has finished, and returns `true`. */
  #postpones(again: () => void): boolean {
    const isHandling = this.#options.isHandling();
    if (isHandling) this.#postponed.push(again);
    return isHandling;
  }
}
