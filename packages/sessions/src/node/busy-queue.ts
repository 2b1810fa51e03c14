import type { MaybePromise } from "../session-store.js";

/** Options of a {@link BusyQueue}. */
export interface BusyQueueOptions {
  /** The time in milliseconds for which one function is retried. */
  readonly timeoutMs: number;
  /** Whether a function failed because another process has locked the file. It is retried. */
  readonly isBusy: (error: unknown) => boolean;
  /** Converts the error of a function that is not retried to the error of {@link BusyQueue.run}. */
  readonly errorOf: (error: unknown) => unknown;
}

interface Waiting {
  readonly deadline: number;
  /**
   * Runs the queued function and settles its promise.
   *
   * @throws the error if the file is locked and `isLast` is `false`; the function is then tried again.
   */
  attempt(isLast: boolean): void;
}

const FIRST_RETRY_MS = 1;
const MAX_RETRY_MS = 25;

/**
 * Runs functions that use a file which other processes lock for short times. If the file is not locked, a function runs
 * synchronously. If the file is locked, the function is queued and retried by a timer, so that a lock of another
 * process never blocks the event loop. All functions run in the order of the calls.
 */
export class BusyQueue {
  readonly #options: BusyQueueOptions;
  readonly #waiting: Waiting[] = [];
  #retryMs = FIRST_RETRY_MS;

  constructor(options: BusyQueueOptions) {
    this.#options = options;
  }

  run<Result>(work: () => Result): MaybePromise<Result> {
    const { isBusy, errorOf, timeoutMs } = this.#options;
    if (this.#waiting.length === 0) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || timeoutMs <= 0) throw errorOf(error);
      }
    }
    return new Promise((resolve, reject) => {
      const attempt = (isLast: boolean): void => {
        try {
          resolve(work());
        } catch (error) {
          if (isBusy(error) && !isLast) throw error;
          reject(errorOf(error));
        }
      };
      this.#waiting.push({ deadline: performance.now() + timeoutMs, attempt });
      if (this.#waiting.length === 1) this.#retryLater();
    });
  }

  #retryLater(): void {
    setTimeout(() => this.#retry(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  #retry(): void {
    for (let head = this.#waiting[0]; head !== undefined; head = this.#waiting[0]) {
      try {
        head.attempt(performance.now() >= head.deadline);
      } catch {
        this.#retryLater();
        return;
      }
      this.#waiting.shift();
    }
    this.#retryMs = FIRST_RETRY_MS;
  }
}
