import { after } from "./timer.js";

/**
 * The deadline of requests that were sent in one go, and so have it in common: one timer for all of them.
 * Made by {@link SharedDeadlines}.
 */
export class SharedDeadline {
  readonly timeoutMs: number;
  /** The ids of those it was for are from here… */
  firstId: number;
  /** …to here. */
  lastId: number;
  #waiting = 0;
  readonly #stop: () => void;

  constructor(timeoutMs: number, firstId: number, passed: (deadline: SharedDeadline) => void) {
    this.timeoutMs = timeoutMs;
    this.firstId = firstId;
    this.lastId = firstId;
    this.#stop = after(timeoutMs, () => passed(this));
  }

  /** Somebody still waits for it. */
  get inUse(): boolean {
    return this.#waiting > 0;
  }

  join(id: number): void {
    this.firstId = Math.min(this.firstId, id); // one that was sent while another was being sent comes first
    this.lastId = Math.max(this.lastId, id);
    this.#waiting += 1;
  }

  /** The last who leaves stops the timer. */
  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#stop();
  }
}

/**
 * Deadlines of requests. Those of one length that begin before the microtasks that are queued now have run begin at the same time for any
 * timer, whose clock stands still for that long: they are one.
 */
export class SharedDeadlines {
  readonly #passed: (deadline: SharedDeadline) => void;
  /** The one that can be joined. */
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

  /** The deadline of a request that begins now. Whoever gets it leaves it once. */
  begin(timeoutMs: number, id: number): SharedDeadline {
    let deadline = this.#current;
    if (deadline === undefined || deadline.timeoutMs !== timeoutMs || !deadline.inUse) {
      deadline = new SharedDeadline(timeoutMs, id, this.#passed);
      this.#current = deadline;
      void resolved.then(this.#close); // `queueMicrotask` of Node is dearer: it keeps an async context
    }
    deadline.join(id);
    return deadline;
  }
}

const resolved: Promise<void> = Promise.resolve();
