import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { checkLimit, checkLimits } from "../check-limits.js";
import { LeaseLostError, SessionHeldError, StoreError } from "../errors.js";
import { beginsTurn, type LogEntry, type StoredEntry } from "../log-entry.js";
import { LogSize } from "../log-size.js";
import { cursorOf, placeOf } from "../page-cursor.js";
import type {
  MaybePromise,
  OwnedSessions,
  SessionLog,
  SessionPage,
  SessionRecord,
  SessionStore,
  StoreLimits,
} from "../session-store.js";
import { assertOwner, assertStorable, isStorable, storable } from "../storable-text.js";
import { totalOf, turnsToDrop } from "../turns-to-drop.js";
import { BusyQueue } from "./busy-queue.js";
import { Holder } from "./holder.js";
import { isBusy, storeError, storeErrorOf } from "./sqlite-errors.js";
import {
  type EntryRow,
  type HolderRow,
  prepareStatements,
  type SessionRow,
  type SizeRow,
  type Statements,
  type UsedRow,
} from "./statements.js";
import { openStoreFile } from "./store-file.js";

/** Options of a SQLite store. */
export interface SqliteStoreOptions {
  /**
   * The path of the store's file. The store creates the file and its folder if they don't exist; only the current user
   * may read the file. `:memory:` keeps everything in memory.
   */
  readonly path: string;
  readonly limits?: StoreLimits;
  /**
   * The time in milliseconds to wait for another process that has locked the file. Meanwhile, the store's methods
   * return a promise, which finally rejects with the {@link StoreError} `busy`; the event loop keeps running. The
   * default is 5,000.
   */
  readonly busyTimeoutMs?: number;
  /** Returns the current time in milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** The maximum number of rows of a query. SQLite does not accept `Infinity`. */
const MAX_ROWS = 2_147_483_647;

interface OpenStore {
  readonly statements: Statements;
  /** Runs a function in a transaction, during which no other process writes. If it fails, nothing changes. */
  transaction<Result>(work: () => Result): Result;
  /** Ends a transaction whose rollback failed; later writes would belong to it and be lost. */
  rollBack(): void;
  /** @throws {StoreError} when the file was removed or replaced. */
  assertInPlace(): void;
  /** Empties the write-ahead log, which contains the texts that were deleted. */
  emptyLog(): void;
  close(): void;
}

/** The state of a store. A new one opens its file, or at the first call if another process has locked it. */
type State =
  | { readonly name: "unopened" }
  | { readonly name: "open"; readonly store: OpenStore }
  | { readonly name: "closed" };

/**
 * Creates a store that keeps sessions in one SQLite file, for one or more processes of one machine. The methods of the
 * store are synchronous, so that an update is persisted before it is sent. Only while another process has locked the
 * file, the methods return promises. Written entries survive the end of the process, however it ends. After a power
 * cut, the entries of the last moments may be missing.
 *
 * @throws {TypeError} when the path is not a valid path, or a limit or `busyTimeoutMs` is not a number from 0 to
 * `Infinity`.
 * @throws {StoreError} when the file can't be opened: `foreign`, `newer_format`, `corrupt`, `read_only`, `full` or
 * `io`. Every method of the store throws or rejects with such an error when the file fails.
 */
export function sqliteStore(options: SqliteStoreOptions): SessionStore {
  checkOptions("sqliteStore", options, optionKinds);
  const { path, busyTimeoutMs = 5_000, now = Date.now } = options;
  const limits = checkLimits(options.limits);
  const me = new Holder(path);
  const timeoutMs = checkLimit("busyTimeoutMs", busyTimeoutMs);
  const queue = new BusyQueue({ timeoutMs, isBusy, errorOf: (error) => storeErrorOf(error, path) });
  let state: State = { name: "unopened" };
  const opened = (): OpenStore => {
    if (state.name === "closed") throw new StoreError("closed", path, `The session store ${path} is closed`);
    const store = state.name === "open" ? state.store : openStore(path);
    state = { name: "open", store };
    return store;
  };
  const run = <Result>(work: (store: OpenStore) => Result): MaybePromise<Result> =>
    queue.run(() => {
      const store = opened();
      store.rollBack();
      return work(store);
    });
  /** Runs a function that writes, if the file still exists: data written to a removed file would be lost. */
  const write = <Result>(work: (store: OpenStore) => Result): MaybePromise<Result> =>
    run((store) => {
      store.assertInPlace();
      return work(store);
    });
  try {
    opened();
  } catch (error) {
    if (!isBusy(error)) throw storeErrorOf(error, path); // if the file is locked, the first call of a method opens it
  }

  const timestamp = (): string => new Date(now()).toISOString();
  const { text, json } = reader(path);
  /** @throws {SessionHeldError} when another running process holds the session. */
  const assertFree = (sessionId: string, { holder }: HolderRow): void => {
    const name = holder === null ? "" : text(holder);
    if (holder !== null && me.isOther(name)) throw new SessionHeldError(sessionId, me.describe(name));
  };

  const remove = ({ deleteEntries, deleteSession }: Statements, sessionId: string): void => {
    deleteEntries.run(sessionId);
    deleteSession.run(sessionId);
  };

  const openLog = (
    statements: Statements,
    sessionId: string,
    { place, token }: Pick<HolderRow, "place" | "token">,
  ): SessionLog => {
    const { maxSessionBytes } = limits;
    let { seq } = statements.lastSeq.get(sessionId) as { seq: number };
    // Computed once, because it reads the whole log
    const written = maxSessionBytes === undefined ? 0 : totalOf(sizesOf(statements, sessionId));
    const size = new LogSize(maxSessionBytes, written);
    const assertWritten = ({ changes }: { readonly changes: number }): void => {
      if (changes === 0) throw new LeaseLostError(sessionId);
    };
    const shrink = (maxBytes: number): void => {
      const entries = sizesOf(statements, sessionId);
      const last = entries[turnsToDrop(entries, totalOf(entries), maxBytes) - 1];
      if (last !== undefined) statements.dropEntries.run(sessionId, last.seq);
      size.setShrunk(totalOf(entries.filter((entry) => entry.seq > (last?.seq ?? 0))));
    };
    return {
      sessionId,
      token,
      append(entry: LogEntry) {
        const body = JSON.stringify(entry); // serialized now: the object may change later
        const at = timestamp();
        // The column `type` shows which entries begin a turn, so that shrinking a log need not parse its entries.
        const type = entry.type === "prompt" && !beginsTurn(entry) ? "merged_prompt" : entry.type;
        return write(({ statements: { append } }) => {
          assertWritten(append.run(sessionId, seq + 1, at, type, body, place, token));
          seq++;
          const isOverLimit = size.add(entry, Buffer.byteLength(body));
          try {
            if (maxSessionBytes !== undefined && isOverLimit) shrink(maxSessionBytes);
          } catch {
            // The entry is written. The next append prunes the log if it is still over its limit.
          }
          return seq;
        });
      },
      setTitle(title) {
        const [stored, at] = [title && storable(title), timestamp()];
        return write(({ statements: { setTitle } }) => assertWritten(setTitle.run(place, token, stored, at)));
      },
      release() {
        return queue.run(() => {
          // If the store is closed, `close` has already released the lease.
          if (state.name === "open") state.store.statements.release.run(place, token);
        });
      },
    };
  };

  const recordOf = (row: SessionRow): SessionRecord => ({
    sessionId: text(row.id),
    cwd: text(row.cwd),
    additionalDirectories: json(row.additional_directories) as string[],
    title: row.title === null ? null : text(row.title),
    createdAt: text(row.created_at),
    updatedAt: text(row.updated_at),
  });

  /** @param next a session that is about to be created. */
  const prune = (statements: Statements, next?: string): void => {
    const { maxAgeMs = Number.POSITIVE_INFINITY, maxSessions = Number.POSITIVE_INFINITY } = limits;
    if (maxAgeMs === Number.POSITIVE_INFINITY && maxSessions === Number.POSITIVE_INFINITY) return;
    const rows = (statements.byUse.all() as UsedRow[]).map(({ id, owner, holder, updated_at }) => ({
      id: text(id),
      owner: text(owner),
      isHeld: (): boolean => holder !== null && me.isAlive(text(holder)),
      updatedAt: Date.parse(text(updated_at)),
    }));
    const oldest = now() - maxAgeMs;
    const counts = new Map<string, number>(next === undefined ? [] : [[next, 1]]);
    for (const row of rows) counts.set(row.owner, (counts.get(row.owner) ?? 0) + 1);
    for (const row of rows) {
      const count = counts.get(row.owner) ?? 0;
      // A damaged time is not a number, and counts as new
      if (!(row.updatedAt < oldest) && count <= maxSessions) continue;
      if (row.isHeld()) continue;
      remove(statements, row.id);
      counts.set(row.owner, count - 1);
    }
  };

  const owned = (owner: string): OwnedSessions => ({
    create({ sessionId, cwd, additionalDirectories }) {
      assertStorable({ sessionId, cwd, additionalDirectories });
      return write(({ statements, transaction }) =>
        transaction(() => {
          if (statements.exists.get(sessionId) !== undefined)
            throw new TypeError(`The session ${sessionId} already exists`);
          prune(statements, owner);
          const at = timestamp();
          statements.create.run(sessionId, owner, cwd, JSON.stringify(additionalDirectories), at, at);
        }),
      );
    },
    find(sessionId) {
      if (!isStorable(sessionId)) return undefined;
      return run(({ statements }) => {
        const row = statements.find.get(owner, sessionId) as SessionRow | undefined;
        return row && recordOf(row);
      });
    },
    list({ cwd, cursor, limit }) {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : placeOf(cursor);
      return run(({ statements }): SessionPage => {
        const rows = statements.list.all(owner, before, cwd ?? null, Math.min(limit + 1, MAX_ROWS)) as SessionRow[];
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        return {
          sessions: page.map(recordOf),
          ...(rows.length > limit && last !== undefined && { nextCursor: cursorOf(last.place) }),
        };
      });
    },
    read(sessionId, after = 0) {
      if (!isStorable(sessionId)) return [];
      return run(({ statements }) => {
        const rows = statements.read.all(owner, sessionId, after) as EntryRow[];
        return rows.map(({ seq, at, body }): StoredEntry => ({ seq, at: text(at), entry: json(body) as LogEntry }));
      });
    },
    open(sessionId, { takeOver = false } = {}) {
      if (!isStorable(sessionId)) throw new LeaseLostError(sessionId);
      return write(({ statements, transaction }) =>
        transaction(() => {
          const row = statements.holder.get(owner, sessionId) as HolderRow | undefined;
          if (row === undefined) throw new LeaseLostError(sessionId);
          if (!takeOver) assertFree(sessionId, row);
          me.lock();
          statements.take.run(row.place, me.name);
          return openLog(statements, sessionId, { ...row, token: row.token + 1 });
        }),
      );
    },
    delete(sessionId) {
      if (!isStorable(sessionId)) return;
      return write(({ statements, transaction, emptyLog }) => {
        transaction(() => {
          const row = statements.holder.get(owner, sessionId) as HolderRow | undefined;
          if (row === undefined) return;
          assertFree(sessionId, row);
          remove(statements, sessionId);
        });
        emptyLog();
      });
    },
  });

  return {
    owner: (owner) => owned(assertOwner(owner)),
    prune: () => write(({ statements, transaction }) => transaction(() => prune(statements))),
    close() {
      return queue.run(() => {
        if (state.name === "open") {
          const { store } = state;
          try {
            store.statements.releaseAll.run(me.name);
          } catch (error) {
            if (isBusy(error)) throw error;
            // The signatures stay in the file, but the lock is released next, so that no session counts as held.
          }
          store.close();
          me.release();
        }
        state = { name: "closed" };
      });
    },
  };
}

const optionKinds: OptionKinds<SqliteStoreOptions> = {
  path: "value!",
  limits: "value",
  busyTimeoutMs: "value",
  now: "function",
};

function openStore(path: string): OpenStore {
  const { database, assertInPlace } = openStoreFile(path);
  const rollBack = (): void => {
    if (database.inTransaction) database.exec("ROLLBACK"); // after some errors SQLite has already rolled back
  };
  const transaction = <Result>(work: () => Result): Result => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  };
  try {
    return {
      statements: prepareStatements(database),
      transaction,
      rollBack,
      assertInPlace,
      emptyLog() {
        try {
          database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
        } catch {
          // Another process reads the log. It is emptied when the last process closes the file.
        }
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const sizesOf = ({ sizes }: Statements, sessionId: string) =>
  (sizes.all(sessionId) as SizeRow[]).map(({ seq, begins, bytes }) => ({ seq, begins: begins === 1, bytes }));

/** Reads the content of the file. SQLite has no checksums, so a damaged page may contain anything. */
function reader(path: string) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const sound = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (error) {
      throw storeError("corrupt", path, error);
    }
  };
  const text = (bytes: Uint8Array): string => sound(() => decoder.decode(bytes));
  const json = (bytes: Uint8Array): unknown => sound(() => JSON.parse(decoder.decode(bytes)));
  return { text, json };
}
