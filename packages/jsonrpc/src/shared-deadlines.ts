import { after } from "./timer.js";

/** The deadline of all requests of one tick, with one timer. {@link SharedDeadlines} creates it. */
export class SharedDeadline {
  readonly timeoutMs: number;
  /** The lowest id of its requests. */
  firstId: number;
  /** The highest id of its requests. */
  lastId: number;
  #waiting = 0;
  readonly #stop: () => void;

  constructor(timeoutMs: number, firstId: number, passed: (deadline: SharedDeadline) => void) {
    this.timeoutMs = timeoutMs;
    this.firstId = firstId;
    this.lastId = firstId;
    this.#stop = after(timeoutMs, () => passed(this));
  }

  /** Whether at least one request still uses the deadline. */
  get inUse(): boolean {
    return this.#waiting > 0;
  }

  join(id: number): void {
    // A request that is sent while another is being sent joins before that one
    this.firstId = Math.min(this.firstId, id);
    this.lastId = Math.max(this.lastId, id);
    this.#waiting += 1;
  }

  /** Called when a request has settled. The last call stops the timer. */
  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#stop();
  }
}

/** Creates deadlines. Requests of one tick with the same time limit share a deadline and a timer. */
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

  /** Returns the deadline of a request that starts now. The caller calls `leave` once, when the request settles. */
  begin(timeoutMs: number, id: number): SharedDeadline {
    let deadline = this.#current;
    if (deadline === undefined || deadline.timeoutMs !== timeoutMs || !deadline.inUse) {
      deadline = new SharedDeadline(timeoutMs, id, this.#passed);
      this.#current = deadline;
      void resolved.then(this.#close); // Node's `queueMicrotask` is slower, because it keeps an async context
    }
    deadline.join(id);
    return deadline;
  }
}

const resolved: Promise<void> = Promise.resolve();
