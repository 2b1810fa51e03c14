import type { StoreFile } from "@acp-kit/sessions/node";
import type { Statement } from "libsql";

/** Queued work, with the functions that settle its promise after the end of the transaction. */
interface Write {
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Options of {@link GroupCommit}. */
export interface GroupCommitOptions {
  readonly file: StoreFile;
  /**
   * Whether an error of the work means that the work has written nothing. The other work of the transaction then
   * continues.
   */
  readonly isRefusal: (error: unknown) => boolean;
  /** Returns the error with which the work of a failed transaction rejects. */
  readonly errorOf: (error: unknown) => unknown;
  /** Called after a transaction was rolled back. */
  readonly onRollback: () => void;
  /** Called inside the transaction, before it is committed. */
  readonly beforeCommit: () => void;
  /**
   * Called after a transaction was committed, before its work is acknowledged. Must not throw. `count` is the number of
   * its writes.
   */
  readonly onCommit: (count: number) => void;
}

/**
 * How long transactions wait for a locked file, in milliseconds. The thread of `Checkpoints` locks the file for a
 * moment if it begins to read the write-ahead log while a transaction changes the log, and while it empties the log.
 */
const MAX_LOCKED_MS = 1_000;

/**
 * Combines the writes of one iteration of the event loop in one transaction. With many sessions, separate transactions
 * would take more time than the appends.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #queue: Write[] = [];
  /** The time since which every transaction has failed because the file is locked. */
  #lockedSince: number | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#begin = options.file.database.prepare("BEGIN IMMEDIATE");
    this.#commit = options.file.database.prepare("COMMIT");
  }

  /**
   * Executes work in the next transaction. Rejects with the refusal of the work, or with the error of the transaction,
   * which is then rolled back.
   */
  add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      if (this.#queue.length === 1) setImmediate(() => this.flush({ mayWait: true }));
    });
  }

  /**
   * Executes all queued work in a transaction. Never throws. With `mayWait`, the work waits for a locked file for up to
   * {@link MAX_LOCKED_MS}.
   */
  flush({ mayWait = false }: { readonly mayWait?: boolean } = {}): void {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    const { errorOf, onCommit, onRollback } = this.#options;
    let settle: readonly (() => void)[];
    try {
      settle = this.#transact(queue);
    } catch (error) {
      onRollback();
      if (mayWait && this.#mayRepeat(error)) {
        this.#queue = [...queue, ...this.#queue];
        setTimeout(() => this.flush({ mayWait }), 1);
      } else for (const { reject } of queue) reject(errorOf(error));
      return;
    }
    this.#lockedSince = undefined;
    onCommit(queue.length);
    for (const one of settle) one();
  }

  #mayRepeat(error: unknown): boolean {
    const isLocked = (error as { readonly code?: unknown }).code === "SQLITE_BUSY";
    const now = performance.now();
    this.#lockedSince = isLocked ? (this.#lockedSince ?? now) : undefined;
    if (this.#lockedSince === undefined) return false;
    if (now - this.#lockedSince < MAX_LOCKED_MS) return true;
    this.#lockedSince = undefined;
    return false;
  }

  #transact(queue: readonly Write[]): (() => void)[] {
    const { database, assertInPlace } = this.#options.file;
    assertInPlace();
    if (database.inTransaction) database.exec("ROLLBACK"); // an earlier transaction whose rollback failed
    this.#begin.run();
    try {
      const settle = queue.map((write) => this.#run(write));
      this.#options.beforeCommit();
      this.#commit.run();
      return settle;
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK"); // after some errors SQLite has rolled back already
      throw error;
    }
  }

  /** Executes work. The caller must call the returned function after the end of the transaction. */
  #run({ work, resolve, reject }: Write): () => void {
    try {
      const result = work() as never;
      return () => resolve(result);
    } catch (error) {
      if (this.#options.isRefusal(error)) return () => reject(error);
      throw error;
    }
  }
}
