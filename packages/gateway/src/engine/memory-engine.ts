import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { keyName, scopeName } from "../principal.js";
import type { Acquired, AcquireOptions, Appended, Engine, Lease, Membership, ReplicaOptions } from "./engine.js";
import { EngineError } from "./engine-error.js";
import type { JournalPage, PageLimits, Position } from "./journal-page.js";
import { directoryCursorOf, directoryPlaceOf } from "./list-cursor.js";
import { Members } from "./members.js";
import { MemoryJournal } from "./memory-journal.js";
import type {
  DirectoryPage,
  DirectoryQuery,
  DirectoryRecord,
  NewSessionRecord,
  RecordPatch,
  Scope,
  SessionKey,
} from "./session-record.js";
import { Watchers } from "./watchers.js";

/** Options of {@link memoryEngine}. */
export interface MemoryEngineOptions {
  /** Returns the time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

interface Session {
  readonly key: SessionKey;
  readonly place: number;
  record: DirectoryRecord;
  readonly journal: MemoryJournal;
  /** The epoch of the newest lease. `holder` is the replica that holds the lease, `undefined` after a release. */
  epoch: number;
  holder: string | undefined;
}

/**
 * Creates an engine that stores sessions only in memory, for tests and for servers that don't need their sessions after
 * a restart. Gateways of the same process can share one memory engine.
 */
export function memoryEngine(options: MemoryEngineOptions = {}): Engine {
  checkOptions("memoryEngine", options, optionKinds);
  return new MemoryEngine(options);
}

const optionKinds: OptionKinds<MemoryEngineOptions> = { now: "function" };

class MemoryEngine implements Engine {
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #counts = new Map<string, number>();
  readonly #members: Members;
  readonly #watchers = new Watchers();
  #places = 0;
  #isClosed = false;

  constructor({ now = Date.now }: MemoryEngineOptions) {
    this.#now = now;
    this.#members = new Members(now);
  }

  async create(scope: Scope, { sessionId, cwd, additionalDirectories, state }: NewSessionRecord): Promise<void> {
    this.#assertOpen();
    const key = { scope, sessionId };
    const name = keyName(key);
    if (this.#sessions.has(name)) throw new EngineError("exists", `A session with the id ${sessionId} already exists`);
    this.#counts.set(scopeName(scope), (this.#counts.get(scopeName(scope)) ?? 0) + 1);
    const at = this.#now();
    const record = { sessionId, cwd, additionalDirectories: [...additionalDirectories], state, title: null };
    this.#sessions.set(name, {
      key,
      place: ++this.#places,
      record: { ...record, createdAt: at, updatedAt: at },
      journal: new MemoryJournal(),
      epoch: 0,
      holder: undefined,
    });
  }

  async find(key: SessionKey): Promise<DirectoryRecord | undefined> {
    this.#assertOpen();
    return this.#sessions.get(keyName(key))?.record;
  }

  async list({ tenant, user }: Scope, { cwd, cursor, limit }: DirectoryQuery): Promise<DirectoryPage> {
    this.#assertOpen();
    const before = cursor === undefined ? Number.POSITIVE_INFINITY : directoryPlaceOf(cursor);
    const found = [...this.#sessions.values()]
      .filter(
        ({ key: { scope }, place, record }) =>
          scope.tenant === tenant && scope.user === user && place < before && (cwd === undefined || record.cwd === cwd),
      )
      .reverse();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const sessions = page.map(({ record }) => record);
    return found.length > limit && last !== undefined
      ? { sessions, nextCursor: directoryCursorOf(last.place) }
      : { sessions };
  }

  async count(scope: Scope): Promise<number> {
    this.#assertOpen();
    return this.#counts.get(scopeName(scope)) ?? 0;
  }

  async delete(key: SessionKey): Promise<boolean> {
    this.#assertOpen();
    const name = keyName(key);
    if (!this.#sessions.delete(name)) return false;
    this.#counts.set(scopeName(key.scope), (this.#counts.get(scopeName(key.scope)) ?? 1) - 1);
    this.#watchers.notify(name);
    return true;
  }

  async read(key: SessionKey, after: Position | undefined, limits: PageLimits): Promise<JournalPage> {
    this.#assertOpen();
    const session = this.#sessions.get(keyName(key));
    return session === undefined ? { is: "missing" } : session.journal.read(after, limits);
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
      acquire: async (key, options) => this.#acquire(key, id, options),
      append: async (lease, first, entries, patch) => this.#append(lease, first, entries, patch),
      trim: async (lease, first) => this.#current(lease)?.journal.trim(first),
      release: async (lease) => {
        const session = this.#current(lease);
        if (session !== undefined) session.holder = undefined;
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
    this.#isClosed = true;
    this.#sessions.clear();
  }

  #acquire(key: SessionKey, replica: string, options?: AcquireOptions): Acquired {
    this.#assertOpen();
    const session = this.#sessions.get(keyName(key));
    if (session === undefined) return { is: "missing" };
    const taken = this.#members.taken(session.holder, replica, options);
    if (taken !== undefined) return taken;
    session.holder = replica;
    session.epoch += 1;
    const lease = { key: session.key, epoch: session.epoch };
    return { is: "held", lease, last: session.journal.last, record: session.record };
  }

  #append(lease: Lease, first: number, texts: readonly string[], patch: RecordPatch = {}): Appended {
    this.#assertOpen();
    const name = keyName(lease.key);
    const session = this.#sessions.get(name);
    if (session === undefined) return { is: "missing" };
    if (session.epoch !== lease.epoch) return { is: "stale" };
    const { journal } = session;
    if (journal.last.seq + 1 !== first) return { is: "misplaced", last: journal.last.seq };
    if (texts.length > 0) {
      journal.append(texts, lease.epoch);
      session.record = { ...session.record, ...patch, updatedAt: this.#now() };
      this.#watchers.notify(name);
    }
    return { is: "appended" };
  }

  #current({ key, epoch }: Lease): Session | undefined {
    this.#assertOpen();
    const session = this.#sessions.get(keyName(key));
    return session?.epoch === epoch ? session : undefined;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new EngineError("closed", "The memory engine is closed");
  }
}
