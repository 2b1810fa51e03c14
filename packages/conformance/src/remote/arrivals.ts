import { after } from "../timer.js";

/** Collects the items that arrive from a source, and lets callers wait for an item. */
export class Arrivals<Item> {
  readonly items: Item[] = [];
  readonly #waiting = new Set<() => void>();
  #isEnded = false;

  add(item: Item): void {
    this.items.push(item);
    this.#wake();
  }

  /** Marks the source as ended and resolves all waiters. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Resolves with the first item that matches, or with `undefined` if the source ends or the time is over. */
  async find(matches: (item: Item) => boolean, limitMs: number): Promise<Item | undefined> {
    await this.#until(() => this.#isEnded || this.items.some(matches), limitMs);
    return this.items.find(matches);
  }

  /** Resolves with whether the source ended within the time. */
  async ended(limitMs: number): Promise<boolean> {
    await this.#until(() => this.#isEnded, limitMs);
    return this.#isEnded;
  }

  #until(holds: () => boolean, limitMs: number): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        stopTimer();
        this.#waiting.delete(check);
        resolve();
      };
      const check = (): void => (holds() ? done() : undefined);
      const stopTimer = after(limitMs, done);
      this.#waiting.add(check);
    });
  }

  #wake(): void {
    for (const waiter of [...this.#waiting]) waiter();
  }
}
