import type { MaybePromise } from "../session-store.js";

/** Options of a {@link BusyQueue}. */
export interface BusyQueueOptions {
  /** How long one piece of work is retried, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the work failed because another process has locked the file: then it has done nothing, and is retried. */
  readonly isBusy: (error: unknown) => boolean;
  /** Returns the error of work that did not succeed in time. */
  readonly errorOf: (error: unknown) => unknown;
}

interface Waiting {
  readonly deadline: number;
  /** Runs the queued function and settles its promise. @throws errors that {@link BusyQueueOptions.isBusy} recognises, before the deadline. */
  attempt(isLast: boolean): void;
}

const FIRST_RETRY_MS = 1;
const MAX_RETRY_MS = 25;

/**
 * Runs work on a file that other processes lock for short times. Work on an unlocked file runs synchronously. If the
 * file is locked, work is queued and retried by a timer, so that a lock of another process never blocks the event loop.
 * All work runs in the order of the calls.
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
