import type { StoreFile } from "@acp-kit/sessions/node";

interface Write {
  /** Does the work; the returned function settles its promise, once the transaction has ended. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** What {@link GroupCommit} works with. */
export interface GroupCommitOptions {
  readonly file: StoreFile;
  /** Whether work that threw this has written nothing: then the others of its transaction go on. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Called when a transaction was undone. */
  readonly onRollback: () => void;
  /** Called when one was done. */
  readonly onCommit: () => void;
}

/**
 * Writes of one turn of the event loop in one transaction: with many sessions, a transaction for each append costs more than the
 * appends.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #queue: Write[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Does the work with the next transaction. Rejects with what it throws, or with why the transaction failed: then it is undone. */
  add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        const result = work();
        return () => resolve(result);
      };
      this.#queue.push({ run, reject });
      if (this.#queue.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Writes the queue. Never throws. */
  flush(): void {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    const { onCommit, onRollback } = this.#options;
    try {
      const settle = this.#transact(queue);
      onCommit();
      for (const one of settle) one();
    } catch (error) {
      onRollback();
      for (const { reject } of queue) reject(error);
    }
  }

  #transact(queue: readonly Write[]): (() => void)[] {
    const { database, assertInPlace } = this.#options.file;
    assertInPlace();
    if (database.inTransaction) database.exec("ROLLBACK"); // one that could not be ended when it failed
    database.exec("BEGIN IMMEDIATE");
    try {
      const settle = queue.map((write) => this.#run(write));
      database.exec("COMMIT");
      return settle;
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK"); // after some errors SQLite has done it already
      throw error;
    }
  }

  #run({ run, reject }: Write): () => void {
    try {
      return run();
    } catch (error) {
      if (this.#options.isRefusal(error)) return () => reject(error);
      throw error;
    }
  }
}
