import { after } from "./timer.js";

/** The deadline shared by requests that were sent in the same tick: one timer for all of them. Created by {@link SharedDeadlines}. */
export class SharedDeadline {
  readonly timeoutMs: number;
  /** The ids of its requests start here… */
  firstId: number;
  /** …and end here. */
  lastId: number;
  #waiting = 0;
  readonly #stop: () => void;

  constructor(timeoutMs: number, firstId: number, passed: (deadline: SharedDeadline) => void) {
    this.timeoutMs = timeoutMs;
    this.firstId = firstId;
    this.lastId = firstId;
    this.#stop = after(timeoutMs, () => passed(this));
  }

  /** At least one request still uses it. */
  get inUse(): boolean {
    return this.#waiting > 0;
  }

  join(id: number): void {
    this.firstId = Math.min(this.firstId, id); // a request sent while another is being sent comes first
    this.lastId = Math.max(this.lastId, id);
    this.#waiting += 1;
  }

  /** The last request that leaves stops the timer. */
  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#stop();
  }
}

/**
 * Creates the deadlines of requests. Requests with the same time limit that are sent before the queued microtasks have run
 * share one: for a timer they start at the same time.
 */
export class SharedDeadlines {
  readonly #passed: (deadline: SharedDeadline) => void;
  /** The deadline that further requests can join. */
  #current: SharedDeadline | undefined;
  readonly #close = (): void => {
    this.#current = undefined;
  };

  constructor(passed: (deadline: SharedDeadline) => void) {
    this.#passed = (deadline) => {
      this.#close();
      passed(deadline);
    };
  }

  /** Returns the deadline of a request that starts now. The caller leaves it exactly once. */
  begin(timeoutMs: number, id: number): SharedDeadline {
    let deadline = this.#current;
    if (deadline === undefined || deadline.timeoutMs !== timeoutMs || !deadline.inUse) {
      deadline = new SharedDeadline(timeoutMs, id, this.#passed);
      this.#current = deadline;
      void resolved.then(this.#close); // Node's `queueMicrotask` costs more: it keeps an async context
    }
    deadline.join(id);
    return deadline;
  }
}

const resolved: Promise<void> = Promise.resolve();
