import { Waiters } from "../waiters.js";

/** Collects the items that arrive from a source, and lets callers wait for an item. */
export class Arrivals<Item> {
  readonly items: Item[] = [];
  readonly #waiters = new Waiters();
  #isEnded = false;

  add(item: Item): void {
    this.items.push(item);
    this.#waiters.wake();
  }

  /** Marks the source as ended and resolves all waiters. */
  end(): void {
    this.#isEnded = true;
    this.#waiters.wake();
  }

  /** Resolves with the first item that matches, or with `undefined` if the source ends or the time is over. */
  async find(matches: (item: Item) => boolean, limitMs: number): Promise<Item | undefined> {
    await this.#waiters.until(() => this.#isEnded || this.items.some(matches), limitMs);
    return this.items.find(matches);
  }

  /** Resolves with whether the source ended within the time. */
  async ended(limitMs: number): Promise<boolean> {
    await this.#waiters.until(() => this.#isEnded, limitMs);
    return this.#isEnded;
  }
}
