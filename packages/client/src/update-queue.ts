/** Where a queue tells how much waits in it, so that reading pauses while its consumer is behind. */
export interface QueueBacklog {
  add(key: string, size: number): void;
  remove(key: string, size: number): void;
}

/** What may wait while nobody reads; see `ClientLimits`. */
export interface UnreadLimits {
  readonly maxUnreadUpdates: number;
  readonly maxBufferedBytes: number;
}

/**
 * The updates of a turn between their arrival and the `for await` that reads them.
 *
 * Once somebody reads, what waits counts as backlog: a slow reader pauses the connection instead of filling the memory. Before,
 * a bounded number is kept, because most callers start a moment later and some never do.
 */
export class UpdateQueue<Item> implements AsyncIterable<Item> {
  readonly #backlog: QueueBacklog;
  readonly #key: string;
  readonly #limits: UnreadLimits;
  #items: Item[] = [];
  #sizes: number[] = [];
  #head = 0;
  /** Of all that came before somebody read. */
  #unreadBytes = 0;
  #reader: "none" | "reading" | "left" = "none";
  #end: { readonly failure?: { readonly error: unknown } } | undefined;
  #overflown = false;
  /** Nobody will read what comes: it has overflown, or its reader has left. */
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(backlog: QueueBacklog, key: string, limits: UnreadLimits) {
    this.#backlog = backlog;
    this.#limits = limits;
    this.#key = key;
  }

  push(item: Item, size: number): void {
    if (this.#closed) return;
    if (this.#reader === "none") {
      const { maxUnreadUpdates, maxBufferedBytes } = this.#limits;
      this.#unreadBytes += size;
      if (this.#items.length >= maxUnreadUpdates || this.#unreadBytes > maxBufferedBytes) {
        this.#overflown = true;
        this.#closed = true;
        this.#items = [];
        this.#sizes = [];
        return;
      }
    }
    this.#items.push(item);
    this.#sizes.push(size);
    if (this.#reader === "reading") this.#backlog.add(this.#key, size);
    this.#wake?.();
  }

  /** No more updates come. With a failure, reading throws its error after the last one. Only the first call counts. */
  end(failure?: { readonly error: unknown }): void {
    this.#end ??= failure === undefined ? {} : { failure };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    if (this.#reader !== "none") throw new TypeError("The updates of a turn can be read once");
    if (this.#overflown) {
      const { maxUnreadUpdates, maxBufferedBytes } = this.#limits;
      const limits = `more than ${maxUnreadUpdates}, or more than ${maxBufferedBytes} bytes`;
      throw new TypeError(`Nobody read the updates of this turn in time: ${limits} came`);
    }
    this.#reader = "reading";
    for (const size of this.#sizes) this.#backlog.add(this.#key, size);
    try {
      for (;;) {
        while (this.#head < this.#items.length) yield this.#shift();
        if (this.#end?.failure !== undefined) throw this.#end.failure.error;
        if (this.#end !== undefined) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.#reader = "left";
      this.#closed = true;
      while (this.#head < this.#items.length) this.#shift();
    }
  }

  #shift(): Item {
    const item = this.#items[this.#head] as Item;
    const size = this.#sizes[this.#head] as number;
    this.#items[this.#head] = undefined as Item;
    this.#head += 1;
    if (this.#head === this.#items.length || (this.#head > 1024 && this.#head * 2 > this.#items.length)) {
      this.#items = this.#items.slice(this.#head);
      this.#sizes = this.#sizes.slice(this.#head);
      this.#head = 0;
    }
    this.#backlog.remove(this.#key, size);
    return item;
  }
}
