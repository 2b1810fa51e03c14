import { after, type TimerOptions } from "@acp-kit/protocol";

/** The deadlines of a turn, and the callbacks for when they pass. */
export interface TurnClockOptions {
  /** The time in milliseconds after which `onIdle` is called if the agent has sent nothing; 0 means no limit. */
  readonly idleTimeoutMs: number;
  /** How long the agent may take to respond after a cancel, in milliseconds; then `onCancelTimeout` is called. 0 means no limit. */
  readonly cancelTimeoutMs: number;
  /** Called when the agent has sent nothing for `idleTimeoutMs`. */
  readonly onIdle: () => void;
  /** Called when the agent has not responded within `cancelTimeoutMs` after a cancel. */
  readonly onCancelTimeout: () => void;
}

/** A process whose only task is a turn stays alive until the turn has ended. */
const keepAlive: TimerOptions = { keepAlive: true };

/** The timers of a turn. The time during which the agent waits for a response of the client does not count as idle. */
export class TurnClock {
  readonly #options: TurnClockOptions;
  /** A function that stops the idle timer. */
  #idle: (() => void) | undefined;
  /** A function that stops the timer of the cancelled turn. */
  #cancelled: (() => void) | undefined;
  #holds = 0;
  #running = false;

  constructor(options: TurnClockOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    this.touch();
  }

  /** Restarts the idle timer. Called when the agent has sent a message. */
  touch(): void {
    const { idleTimeoutMs, onIdle } = this.#options;
    if (!this.#running || this.#holds > 0 || idleTimeoutMs <= 0) return;
    this.#idle?.();
    this.#idle = after(idleTimeoutMs, onIdle, keepAlive);
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

  startCancelTimeout(): void {
    const { cancelTimeoutMs, onCancelTimeout } = this.#options;
    if (cancelTimeoutMs > 0) this.#cancelled ??= after(cancelTimeoutMs, onCancelTimeout, keepAlive);
  }

  stop(): void {
    this.#running = false;
    this.#idle?.();
    this.#cancelled?.();
    this.#cancelled = undefined; // allows the clock to be started again
  }
}
