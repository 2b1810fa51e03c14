import { type Budget, Holding } from "@acp-kit/jsonrpc/internal";

/** Something that was read, and is counted until {@link release} is called. */
export interface CountedRead<Result> {
  readonly result: Result;
  /** Reports that the result is no longer in memory. You may call it more than once. */
  readonly release: () => void;
}

/**
 * Lets the readers of one principal read parts of journals into memory: one after the other, and only while the parts
 * that clients have not read leave room. The size of a part is known only after the read. So there is one read at a
 * time, and the limit is exceeded by one part at most.
 */
export class ReadRoom {
  readonly #budget: Budget;
  readonly #onFreed: () => void;
  readonly #waiting = new Set<() => void>();
  #isReading = false;

  /** @param onFreed called when bytes were released. The function calls {@link admit}. */
  constructor(budget: Budget, onFreed: () => void) {
    this.#budget = budget;
    this.#onFreed = onFreed;
  }

  /** Runs `read` when it is the caller's turn. @param bytesOf returns the size of the result in bytes. */
  async read<Result>(
    read: () => Result | Promise<Result>,
    bytesOf: (result: Result) => number,
  ): Promise<CountedRead<Result>> {
    if (this.#isReading || this.#waiting.size > 0 || !this.#budget.hasRoom(1)) await this.#turn();
    this.#isReading = true;
    const holding = new Holding(this.#budget);
    try {
      const result = await read();
      holding.count(bytesOf(result));
      return {
        result,
        release: () => {
          if (holding.bytes === 0) return;
          holding.release();
          this.#onFreed();
        },
      };
    } finally {
      this.#isReading = false;
      this.admit();
    }
  }

  /** Lets the reader that has waited longest read, if there is room. */
  admit(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#isReading || !this.#budget.hasRoom(1)) return;
    this.#waiting.delete(next);
    this.#isReading = true; // until its `read` continues
    next();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.add(resolve));
  }
}

/**
 * How often a character of an entry is in memory while a client does not read: in the entry, in the message, and in the
 * bytes of the socket.
 */
const COPIES = 3;

/** Returns the memory, in bytes, of the entries of a page that is delivered to one client. */
export function deliveryBytesOf(page: {
  readonly is: string;
  readonly entries?: readonly { readonly text: string }[];
}): number {
  let chars = 0;
  for (const { text } of page.entries ?? []) chars += text.length;
  return COPIES * chars;
}
