/**
 * A limit of memory. Budgets form a tree, for example connection, user and server: what is taken from a budget is taken
 * from those above it, too. Code that stores something for a peer takes its bytes through a {@link Holding}, and gives
 * them back when it no longer stores it.
 */
export class Budget {
  readonly #max: number;
  readonly #parent: Budget | undefined;
  #used = 0;

  /** @param max the number of bytes. @param parent the budget of which this one is a part. */
  constructor(max: number, parent?: Budget) {
    this.#max = max;
    this.#parent = parent;
  }

  /** The number of taken bytes. */
  get used(): number {
    return this.#used;
  }

  /** Whether this budget, or one above it, has less than no room: see {@link Holding.count}. */
  get isOver(): boolean {
    return this.#used > this.#max || (this.#parent?.isOver ?? false);
  }

  /**
   * Whether this budget and those above it have room for `bytes`. A budget of which nothing is taken, except the `own`
   * bytes of the caller, has room for anything: otherwise a single large message would never be accepted.
   */
  hasRoom(bytes: number, own = 0): boolean {
    const fits = this.#used + bytes <= this.#max || this.#used === own;
    return fits && (this.#parent?.hasRoom(bytes, own) ?? true);
  }

  /**
   * @internal Changes the number of taken bytes. Only a {@link Holding} calls this method, so that nothing is given
   * back twice.
   */
  change(difference: number): void {
    this.#used += difference;
    this.#parent?.change(difference);
  }
}

/** The bytes that one object, such as a body or a queue, has taken from a {@link Budget}. */
export class Holding {
  readonly #budget: Budget;
  #bytes = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The number of bytes that this object holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Changes the number of bytes. Returns `false`, and changes nothing, if it grows and there is no room. */
  set(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more > 0 && !this.#budget.hasRoom(more, this.#bytes)) return false;
    this.count(bytes);
    return true;
  }

  /** Changes the number of bytes, room or not, for bytes that are stored; see {@link Budget.isOver}. */
  count(bytes: number): void {
    if (bytes !== this.#bytes) this.#budget.change(bytes - this.#bytes);
    this.#bytes = bytes;
  }

  /** Gives all bytes back. You may call it more than once. */
  release(): void {
    this.count(0);
  }
}

/** The budgets of the users of one server, by name. A budget exists while something uses it. */
export class BudgetShares {
  readonly #total: Budget;
  readonly #shares = new Map<string, { readonly budget: Budget; users: number }>();

  /** @param total the number of bytes of all users together. */
  constructor(total: number) {
    this.#total = new Budget(total);
  }

  /** Returns the budget with this name; a new one has `max` bytes. Call {@link leave} when you no longer use it. */
  enter(name: string, max: number): Budget {
    const known = this.#shares.get(name);
    if (known !== undefined) {
      known.users += 1;
      return known.budget;
    }
    const budget = new Budget(max, this.#total);
    this.#shares.set(name, { budget, users: 1 });
    return budget;
  }

  /** Reports that one caller of {@link enter} no longer uses the budget with this name. */
  leave(name: string): void {
    const share = this.#shares.get(name);
    if (share === undefined) return;
    share.users -= 1;
    if (share.users === 0) this.#shares.delete(name);
  }
}

/** Returns the part of a limit per principal that a principal has: an observer has half of it, at least 1. */
export function shareOf(access: "full" | "observe" | undefined, limit: number): number {
  return access === "observe" ? Math.max(1, Math.floor(limit / 2)) : limit;
}
