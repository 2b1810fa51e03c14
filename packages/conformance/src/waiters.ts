import { after } from "./timer.js";

/** Lets callers wait until a condition is true. */
export class Waiters {
  readonly #checks = new Set<() => void>();

  /** Checks every condition again. Call this after each change that a condition depends on. */
  wake(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Resolves when the condition is true, or when the time is over. */
  until(holds: () => boolean, timeoutMs: number): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        stopTimer();
        this.#checks.delete(check);
        resolve();
      };
      const check = (): void => {
        if (holds()) end();
      };
      const stopTimer = after(timeoutMs, end);
      this.#checks.add(check);
    });
  }
}
