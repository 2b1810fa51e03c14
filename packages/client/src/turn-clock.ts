/** The deadlines of a turn, and what happens when one passes. */
export interface TurnClockOptions {
  /** Milliseconds the agent may say nothing; 0 for ever. */
  readonly idleTimeoutMs: number;
  /** Milliseconds a cancelled turn may go unanswered; 0 for ever. */
  readonly cancelTimeoutMs: number;
  /** The agent said nothing for too long. */
  readonly idle: () => void;
  /** The turn was cancelled and is still not answered. */
  readonly unanswered: () => void;
}

/** Watches that a turn makes progress. While the agent waits for an answer of ours, it is not the agent who is idle. */
export class TurnClock {
  readonly #options: TurnClockOptions;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #cancelled: ReturnType<typeof setTimeout> | undefined;
  #holds = 0;
  #running = false;

  constructor(options: TurnClockOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    this.touch();
  }

  /** The agent has said something. */
  touch(): void {
    const { idleTimeoutMs, idle } = this.#options;
    if (!this.#running || this.#holds > 0 || idleTimeoutMs <= 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(idle, idleTimeoutMs);
  }

  /** The agent waits for an answer; see {@link release}. */
  hold(): void {
    this.#holds += 1;
    clearTimeout(this.#idle);
  }

  release(): void {
    this.#holds -= 1;
    this.touch();
  }

  cancelled(): void {
    const { cancelTimeoutMs, unanswered } = this.#options;
    if (cancelTimeoutMs > 0) this.#cancelled ??= setTimeout(unanswered, cancelTimeoutMs);
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#idle);
    clearTimeout(this.#cancelled);
    this.#cancelled = undefined; // it may be started again
  }
}
