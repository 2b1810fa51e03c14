import type { Answer } from "../session-store.js";

/** How a {@link BusyQueue} waits. */
export interface BusyQueueOptions {
  /** How long one piece of work waits for others, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the work failed because another process has locked the file: then it has done nothing, and is tried again. */
  readonly isBusy: (error: unknown) => boolean;
  /** What a piece of work fails with in the end. */
  readonly errorOf: (error: unknown) => unknown;
}

interface Waiting {
  readonly deadline: number;
  /** Does the work and settles its promise. @throws what {@link BusyQueueOptions.isBusy} knows, before the deadline. */
  attempt(isLast: boolean): void;
}

const FIRST_RETRY_MS = 1;
const MAX_RETRY_MS = 25;

/**
 * Does work on a file that other processes lock for moments. Work that finds it free is done at once and returns at once; the rest waits in line and
 * is tried again by a timer, so that a lock held elsewhere never blocks the event loop. Nothing overtakes what waits.
 */
export class BusyQueue {
  readonly #options: BusyQueueOptions;
  readonly #waiting: Waiting[] = [];
  #retryMs = FIRST_RETRY_MS;

  constructor(options: BusyQueueOptions) {
    this.#options = options;
  }

  run<Result>(work: () => Result): Answer<Result> {
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
