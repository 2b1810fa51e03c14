import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { HolderLock, openStoreFile, type StoreFile, storeError, storeErrorOf } from "@acp-kit/sessions/node";
import type {
  Acquired,
  AcquireOptions,
  Appended,
  Engine,
  Lease,
  Membership,
  ReplicaOptions,
} from "../engine/engine.js";
import { EngineError, type EngineErrorCode, isEngineError } from "../engine/engine-error.js";
import type { JournalPage, PageLimits, Position, StoredJournalEntry } from "../engine/journal-page.js";
import { directoryCursorOf, directoryPlaceOf } from "../engine/list-cursor.js";
import { Members } from "../engine/members.js";
import type {
  DirectoryPage,
  DirectoryQuery,
  DirectoryRecord,
  NewSessionRecord,
  RecordPatch,
  Scope,
  SessionKey,
} from "../engine/session-record.js";
import { Watchers } from "../engine/watchers.js";
import { keyName, scopeName } from "../principal.js";
import { Checkpoints } from "./checkpoints.js";
import {
  type EngineStatements,
  type PageRow,
  type PartAtRow,
  type PartRow,
  type PositionsRow,
  prepareEngineStatements,
  type RecordRow,
} from "./engine-statements.js";
import { GroupCommit } from "./group-commit.js";
import { journalFormat } from "./journal-format.js";
import { RecentAppends, type RecentEntries } from "./recent-appends.js";
import { RecordChanges } from "./record-changes.js";
import { bytesOf, checkSum, textOf } from "./sqlite-texts.js";

/** Options of {@link sqliteEngine}. */
export interface SqliteEngineOptions {
  /**
   * The path of the file. The file and its folder are created if they don't exist. Only this user may read the file.
   */
  readonly path: string;
  /** Returns the time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** The id of the lock of the file. Only one process at a time may use the file. */
const LOCK = "0".repeat(16);
/** The number of entries that one step of a trim removes. Appends run between the steps. */
const TRIM_STEP = 1_000;

/**
 * Creates an engine in one SQLite file, for the gateways of one process. Acknowledged entries survive a crash of the
 * process. After a power failure, the newest entries may be missing.
 *
 * @throws {StoreError} of `@acp-kit/sessions` when the file can't be opened: `busy` if another process uses it,
 * `foreign`, `newer_format`, `corrupt`, `read_only`, `full` or `io`. Every message says what to do.
 */
export function sqliteEngine(options: SqliteEngineOptions): Engine {
  checkOptions("sqliteEngine", options, optionKinds);
  const { path, now = Date.now } = options;
  try {
    const file = openStoreFile(path, journalFormat);
    try {
      const lock = new HolderLock(path, LOCK);
      try {
        return new SqliteEngine(path, file, lock, now);
      } catch (error) {
        lock.unlock();
        throw error;
      }
    } catch (error) {
      file.database.close();
      throw error;
    }
  } catch (error) {
    throw storeErrorOf(error, path);
  }
}

const optionKinds: OptionKinds<SqliteEngineOptions> = { path: "value!", now: "function" };

/** The replica that holds a session, with the epoch of its lease and the positions of the journal. */
interface Holder {
  readonly replica: string;
  readonly epoch: number;
  /** A copy of the positions in the file. The copy is always current, because only this process writes to the file. */
  readonly positions: PositionsRow;
}

class SqliteEngine implements Engine {
  readonly #path: string;
  readonly #file: StoreFile;
  readonly #lock: HolderLock;
  readonly #now: () => number;
  readonly #statements: EngineStatements;
  readonly #members: Members;
  readonly #watchers = new Watchers();
  /** The holders of sessions by key. They are not stored, because leases end with the process. */
  readonly #holders = new Map<string, Holder>();
  /** Functions that undo the changes of `#holders` if the running transaction fails. */
  #undo: (() => void)[] = [];
  readonly #recent: RecentAppends;
  readonly #changes: RecordChanges;
  readonly #writes: GroupCommit;
  readonly #checkpoints: Checkpoints;
  #isClosed = false;

  constructor(path: string, file: StoreFile, lock: HolderLock, now: () => number) {
    this.#path = path;
    this.#file = file;
    this.#lock = lock;
    this.#now = () => Math.floor(now());
    this.#statements = prepareEngineStatements(file.database);
    this.#members = new Members(this.#now);
    this.#recent = new RecentAppends(file.database);
    this.#restoreRecent();
    this.#changes = new RecordChanges(file.database);
    this.#checkpoints = new Checkpoints(file.database, path);
    this.#writes = new GroupCommit({
      file,
      isRefusal: isEngineError,
      errorOf: (error) => engineErrorOf(error, path),
      beforeCommit: () => {
        this.#recent.write();
        this.#changes.write();
      },
      onCommit: (count) => {
        this.#recent.committed();
        this.#undo = [];
        this.#checkpoints.wrote(count);
      },
      onRollback: () => {
        this.#recent.drop();
        this.#changes.drop();
        for (const undo of this.#undo.splice(0).reverse()) undo();
      },
    });
  }

  create(scope: Scope, { sessionId, cwd, additionalDirectories, state }: NewSessionRecord): Promise<void> {
    return this.#write(({ create }) => {
      const at = this.#now();
      const more = JSON.stringify(additionalDirectories);
      const [id, folder] = [JSON.stringify(sessionId), JSON.stringify(cwd)];
      const { changes } = create.run(scopeName(scope), id, folder, more, state, at, at);
      if (changes === 0) throw new EngineError("exists", `A session with the id ${sessionId} already exists`);
    });
  }

  find({ scope, sessionId }: SessionKey): Promise<DirectoryRecord | undefined> {
    return this.#read(({ find }) => {
      const row = find.get(scopeName(scope), JSON.stringify(sessionId)) as RecordRow | undefined;
      return row && this.#recordOf(row);
    });
  }

  list(scope: Scope, { cwd, cursor, limit }: DirectoryQuery): Promise<DirectoryPage> {
    return this.#read(({ list }) => {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : directoryPlaceOf(cursor);
      const folder = cwd === undefined ? null : JSON.stringify(cwd);
      const rows = list.all(scopeName(scope), before, folder, limit + 1) as RecordRow[];
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const nextCursor = rows.length > limit && last !== undefined ? directoryCursorOf(last.place) : undefined;
      return { sessions: page.map((row) => this.#recordOf(row)), ...(nextCursor !== undefined && { nextCursor }) };
    });
  }

  count(scope: Scope): Promise<number> {
    return this.#read(({ count }) => (count.get(scopeName(scope)) as { readonly count: number }).count);
  }

  delete(key: SessionKey): Promise<boolean> {
    return this.#write(({ deleteParts, deleteSession }) => {
      const row = this.#positions(key);
      if (row === undefined) return false;
      this.#recent.moveAll(); // `recent_appends` must not keep the session's texts either
      deleteParts.run(row.place);
      deleteSession.run(row.place);
      this.#checkpoints.deletes();
      const name = keyName(key);
      this.#hold(name, undefined);
      this.#watchers.notify(name);
      return true;
    });
  }

  read(key: SessionKey, after: Position | undefined, limits: PageLimits): Promise<JournalPage> {
    return this.#read(({ partAt, page, parts }): JournalPage => {
      const row = this.#positions(key);
      if (row === undefined) return { is: "missing" };
      const { place, last_seq, last_epoch, trimmed_seq, trimmed_epoch } = row;
      const last = { seq: last_seq, epoch: last_epoch };
      const from = after ?? { seq: trimmed_seq, epoch: trimmed_epoch };
      if (from.seq < trimmed_seq) return { is: "expired", first: trimmed_seq + 1 };
      const recent = recentEntriesOf(this.#recent.of(place));
      const firstRecent = recent[0]?.seq ?? last_seq + 1;
      const knownEpoch = (): number | undefined =>
        from.seq === trimmed_seq ? trimmed_epoch : (partAt.get(place, from.seq) as PartAtRow | undefined)?.epoch;
      const known = from.seq < firstRecent ? knownEpoch() : recent[from.seq - firstRecent]?.epoch;
      if (known !== from.epoch) return { is: "ahead", last };
      if (from.seq >= firstRecent - 1) return { is: "page", entries: cut(recent, from.seq, limits), last };
      const found = page.get(place, from.seq, limits.maxEntries, limits.maxChars) as PageRow;
      const read = () => parts.all(place, from.seq, found.last_seq) as PartRow[];
      const stored = entriesOf(found) ?? entriesOfParts(read());
      const entries = found.last_seq === firstRecent - 1 ? [...stored, ...recent] : stored;
      return { is: "page", entries: cut(entries, from.seq, limits), last };
    });
  }

  watch(key: SessionKey, onChange: () => void): () => void {
    return this.#watchers.add(keyName(key), onChange);
  }

  async join(options: ReplicaOptions): Promise<Membership> {
    this.#assertOpen();
    const { id } = options;
    this.#members.join(options);
    return {
      id,
      acquire: (key, options) => this.#write((statements) => this.#acquire(statements, key, id, options)),
      append: (lease, first, entries, patch = {}) => this.#transact(() => this.#append(lease, first, entries, patch)),
      trim: (lease, first) => this.#trim(lease, first),
      release: async ({ key, epoch }) => {
        this.#assertOpen();
        if (this.#holders.get(keyName(key))?.epoch === epoch) this.#holders.delete(keyName(key));
      },
      renew: async () => {
        this.#assertOpen();
        return this.#members.renew(options);
      },
      send: async (replica, message) => {
        this.#assertOpen();
        return this.#members.send(replica, message);
      },
      leave: async () => this.#members.leave(id),
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writes.add(() => this.#recent.moveAll()).catch(() => {}); // the next process that opens the file moves them
    this.#writes.flush();
    await this.#checkpoints.close();
    this.#file.database.close();
    this.#lock.unlock();
  }

  #acquire({ acquire, find }: EngineStatements, key: SessionKey, replica: string, options?: AcquireOptions): Acquired {
    const row = this.#positions(key);
    if (row === undefined) return { is: "missing" };
    const taken = this.#members.taken(this.#holders.get(keyName(key))?.replica, replica, options);
    if (taken !== undefined) return taken;
    // At least the current time: if a power failure loses a lease and its entries, no later lease has the same epoch,
    // and clients notice that entries are missing.
    const epoch = Math.max(row.epoch + 1, this.#now());
    acquire.run(epoch, row.place);
    this.#recent.move(row.place);
    const record = find.get(scopeName(key.scope), JSON.stringify(key.sessionId)) as RecordRow;
    this.#hold(keyName(key), { replica, epoch, positions: { ...row, epoch } });
    const last = { seq: row.last_seq, epoch: row.last_epoch };
    return { is: "held", lease: { key, epoch }, last, record: recordOf(record) };
  }

  #append({ key, epoch }: Lease, first: number, entries: readonly string[], patch: RecordPatch): Appended {
    const name = keyName(key);
    const holder = this.#holders.get(name);
    const row = holder?.positions ?? this.#storedPositions(key);
    if (row === undefined) return { is: "missing" };
    if (row.epoch !== epoch) return { is: "stale" };
    const { place, last_seq, trimmed_seq, trimmed_epoch } = row;
    if (last_seq + 1 !== first) return { is: "misplaced", last: last_seq };
    if (entries.length === 0) return { is: "appended" };
    this.#recent.add({ place, first, epoch, at: this.#now(), texts: entries });
    this.#changes.add(place, patch);
    if (holder !== undefined) {
      // Objects that are written out are faster than copies of the rows of libsql.
      const positions = {
        place,
        epoch,
        last_seq: last_seq + entries.length,
        last_epoch: epoch,
        trimmed_seq,
        trimmed_epoch,
      };
      this.#hold(name, { replica: holder.replica, epoch, positions });
    }
    this.#watchers.notify(name);
    return { is: "appended" };
  }

  async #trim({ key, epoch }: Lease, first: number): Promise<void> {
    for (;;) {
      const isDone = await this.#write(({ trim, trimmed, partAt }) => {
        const row = this.#positions(key);
        if (row === undefined || row.epoch !== epoch) return true;
        const last = Math.min(first - 1, row.last_seq);
        const step = Math.min(last, row.trimmed_seq + TRIM_STEP);
        if (step <= row.trimmed_seq) return true;
        this.#recent.move(row.place);
        const { epoch: trimmed_epoch, at } = partAt.get(row.place, step) as PartAtRow;
        trim.run(row.place, step);
        trimmed.run(row.place, step, trimmed_epoch, at);
        const holder = this.#holders.get(keyName(key));
        if (holder !== undefined)
          this.#hold(keyName(key), { ...holder, positions: { ...row, trimmed_seq: step, trimmed_epoch } });
        return step === last;
      });
      if (isDone) return;
    }
  }

  /**
   * @throws {StoreError} `corrupt` if a recent append is damaged. Without it, the journals of several sessions would
   * have gaps.
   */
  #restoreRecent(): void {
    try {
      this.#recent.restore();
    } catch (error) {
      throw isForeignText(error) ? storeError("corrupt", this.#path, error) : error;
    }
  }

  #recordOf(row: RecordRow): DirectoryRecord {
    const record = recordOf(row);
    const recent = this.#recent.of(row.place);
    return recent === undefined ? record : { ...record, updatedAt: recent.at };
  }

  #positions(key: SessionKey): PositionsRow | undefined {
    return this.#holders.get(keyName(key))?.positions ?? this.#storedPositions(key);
  }

  #storedPositions({ scope, sessionId }: SessionKey): PositionsRow | undefined {
    const row = this.#statements.positions.get(scopeName(scope), JSON.stringify(sessionId)) as PositionsRow | undefined;
    if (row === undefined) return undefined;
    const recent = this.#recent.newestOf(row.place);
    return recent === undefined ? row : { ...row, last_seq: recent.last, last_epoch: recent.epoch };
  }

  async #read<Result>(work: (statements: EngineStatements) => Result): Promise<Result> {
    this.#assertOpen();
    try {
      return work(this.#statements);
    } catch (error) {
      throw engineErrorOf(error, this.#path);
    }
  }

  /**
   * Executes work with statements in a transaction. Earlier changes of records in the transaction are written before
   * the work.
   */
  #write<Result>(work: (statements: EngineStatements) => Result): Promise<Result> {
    return this.#transact(() => {
      this.#changes.write();
      return work(this.#statements);
    });
  }

  /** Executes work in a transaction. Not an async function, because each append would wait for two more promises. */
  #transact<Result>(work: () => Result): Promise<Result> {
    return this.#isClosed ? Promise.reject(this.#closedError()) : this.#writes.add(work);
  }

  #hold(name: string, holder: Holder | undefined): void {
    const before = this.#holders.get(name);
    this.#undo.push(() => this.#setHolder(name, before));
    this.#setHolder(name, holder);
  }

  #setHolder(name: string, holder: Holder | undefined): void {
    if (holder === undefined) this.#holders.delete(name);
    else this.#holders.set(name, holder);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw this.#closedError();
  }

  #closedError(): EngineError {
    return new EngineError("closed", `The session store ${this.#path} is closed`);
  }
}

/**
 * Splits a page into entries. Returns `undefined` if the entries have several epochs or contain line ends; the caller
 * then reads each part by itself.
 */
function entriesOf(row: PageRow): StoredJournalEntry[] | undefined {
  const { first_seq, last_seq, first_epoch, last_epoch, sums, texts } = row;
  if (first_seq === null || last_seq === null || first_epoch === null || sums === null || texts === null)
    throw new TypeError("The entries of a journal are missing");
  if (first_epoch !== last_epoch) return undefined;
  checkSums(bytesOf(texts), textOf(sums));
  return splitTexts(textOf(texts), first_seq, last_seq, first_epoch);
}

/**
 * Splits texts at the line ends into the entries `first` to `last`. Returns `undefined` if the number of texts is not
 * the number of these entries.
 */
function splitTexts(texts: string, first: number, last: number, epoch: number): StoredJournalEntry[] | undefined {
  const split = texts.split("\n");
  if (split.length !== last + 1 - first) return undefined;
  return split.map((text, i) => ({ seq: first + i, epoch, text }));
}

/** Checks the texts of several parts, with a line end between two parts. @param sums see {@link PageRow}. */
function checkSums(texts: Uint8Array, sums: string): void {
  let from = 0;
  for (const sum of sums.split(",")) {
    const [size = 0, crc = 0] = sum.split(" ").map(Number);
    checkSum(texts.subarray(from, from + size), crc);
    from += size + 1;
  }
}

/** Splits consecutive parts into entries. */
function entriesOfParts(parts: readonly PartRow[]): StoredJournalEntry[] {
  for (const [i, { last_seq }] of parts.entries()) {
    const next = parts[i + 1];
    if (next !== undefined && next.first_seq !== last_seq + 1)
      throw new TypeError(`Entry ${last_seq + 1} of a journal is missing`);
  }
  return parts.flatMap(entriesOfPart);
}

/** Splits a part into entries. */
function entriesOfPart({ first_seq, last_seq, epoch, crc, texts }: PartRow): StoredJournalEntry[] {
  checkSum(bytesOf(texts), crc);
  const text = textOf(texts);
  if (first_seq === last_seq) return [{ seq: first_seq, epoch, text }];
  const entries = splitTexts(text, first_seq, last_seq, epoch);
  if (entries === undefined) throw new TypeError("A part has another number of entries than it says");
  return entries;
}

/** Returns the entries after a number, up to the limits. The first entry is returned whatever its size. */
function cut(
  entries: readonly StoredJournalEntry[],
  after: number,
  { maxEntries, maxChars }: PageLimits,
): StoredJournalEntry[] {
  const from = after + 1 - (entries[0]?.seq ?? 0);
  if (from < 0) throw new TypeError(`Entry ${after + 1} of a journal is missing`);
  const limit = Math.min(from + maxEntries, entries.length);
  let chars = 0;
  let end = from;
  for (; end < limit; end++) {
    chars += (entries[end] as StoredJournalEntry).text.length;
    if (end > from && chars > maxChars) break;
  }
  return entries.slice(from, end);
}

function recordOf(row: RecordRow): DirectoryRecord {
  return {
    sessionId: JSON.parse(textOf(row.id)) as string,
    cwd: JSON.parse(textOf(row.cwd)) as string,
    additionalDirectories: JSON.parse(textOf(row.additional_directories)) as string[],
    title: row.title === null ? null : textOf(row.title),
    state: textOf(row.state),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function recentEntriesOf(recent: RecentEntries | undefined): StoredJournalEntry[] {
  if (recent === undefined) return [];
  const { first, epoch, texts } = recent;
  return texts.map((text, i) => ({ seq: first + i, epoch, text }));
}

const codes: Readonly<Record<string, EngineErrorCode>> = {
  full: "full",
  corrupt: "corrupt",
  foreign: "corrupt",
  newer_format: "corrupt",
  read_only: "full",
};

/** Whether an error was thrown by code that reads stored texts. */
const isForeignText = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError;

/**
 * Converts an error of the file to an `EngineError`. A failed transaction has written nothing, so it may be repeated.
 */
function engineErrorOf(error: unknown, path: string): unknown {
  if (isEngineError(error)) return error;
  if (isForeignText(error))
    return new EngineError("corrupt", `The session store ${path} contains data that no gateway has written`, {
      cause: error,
    });
  const cause = storeErrorOf(error, path);
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return new EngineError(codes[code ?? ""] ?? "unavailable", message ?? `The session store ${path} failed`, { cause });
}
