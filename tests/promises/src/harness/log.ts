/** A list of events, in order, and a way to wait for them. Tests wait for events, never for time. */
export class Log<Item> {
  readonly items: Item[] = [];
  readonly #waiting = new Set<() => void>();

  readonly push = (item: Item): void => {
    this.items.push(item);
    for (const look of [...this.#waiting]) look();
  };

  /** Returns the first item that passes, now or later. */
  until(test: (item: Item) => boolean): Promise<Item> {
    return new Promise((resolve) => {
      let next = 0;
      const look = (): void => {
        for (; next < this.items.length; next += 1) {
          const item = this.items[next] as Item;
          if (!test(item)) continue;
          this.#waiting.delete(look);
          resolve(item);
          return;
        }
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Resolves when the log has this many items. */
  async count(count: number, test: (item: Item) => boolean = () => true): Promise<Item[]> {
    let found = 0;
    if (count > 0) await this.until((item) => test(item) && ++found >= count);
    return this.items.filter(test);
  }
}
