import type { Acquired, Appended, Engine, Lease, Membership, ReplicaOptions } from "./engine.js";
import { EngineError } from "./engine-error.js";
import type { JournalPage, PageLimits, Position, StoredEntry } from "./journal-page.js";
import { cursorOf, placeOf } from "./list-cursor.js";
import { MemoryJournal } from "./memory-journal.js";
import type {
  NewSessionRecord,
  RecordPatch,
  Scope,
  SessionKey,
  SessionPage,
  SessionQuery,
  SessionRecord,
} from "./session-record.js";

/** How a memory engine runs. */
export interface MemoryEngineOptions {
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
}

interface Session {
  readonly key: SessionKey;
  readonly place: number;
  record: SessionRecord;
  readonly journal: MemoryJournal;
  readonly watchers: Set<() => void>;
  /** The lease that was given last, and to which replica; `undefined` holder after its release. */
  epoch: number;
  holder: string | undefined;
}

interface Member {
  readonly options: ReplicaOptions;
  until: number;
}

/**
 * An engine in the memory of one process: for tests, and for servers that may forget their sessions. Gateways of the same
 * process can share one.
 */
export function memoryEngine(options: MemoryEngineOptions = {}): Engine {
  return new MemoryEngine(options);
}

class MemoryEngine implements Engine {
  readonly #now: () => number;
  /** By scope and id; in the order of creation. */
  readonly #sessions = new Map<string, Session>();
  readonly #members = new Map<string, Member>();
  #places = 0;
  #isClosed = false;

  constructor({ now = Date.now }: MemoryEngineOptions) {
    this.#now = now;
  }

  async create(scope: Scope, { sessionId, cwd, additionalDirectories, state }: NewSessionRecord): Promise<void> {
    this.#assertOpen();
    const key = { scope, sessionId };
    const name = nameOf(key);
    if (this.#sessions.has(name)) throw new EngineError("exists", `There is a session ${sessionId} already`);
    const at = this.#now();
    const record = { sessionId, cwd, additionalDirectories: [...additionalDirectories], state, title: null };
    this.#sessions.set(name, {
      key,
      place: ++this.#places,
      record: { ...record, createdAt: at, updatedAt: at },
      journal: new MemoryJournal(),
      watchers: new Set(),
      epoch: 0,
      holder: undefined,
    });
  }

  async find(key: SessionKey): Promise<SessionRecord | undefined> {
    this.#assertOpen();
    return this.#sessions.get(nameOf(key))?.record;
  }

  async list({ tenant, user }: Scope, { cwd, cursor, limit }: SessionQuery): Promise<SessionPage> {
    this.#assertOpen();
    const before = cursor === undefined ? Number.POSITIVE_INFINITY : placeOf(cursor);
    const found = [...this.#sessions.values()]
      .filter(
        ({ key: { scope }, place, record }) =>
          scope.tenant === tenant && scope.user === user && place < before && (cwd === undefined || record.cwd === cwd),
      )
      .reverse();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const sessions = page.map(({ record }) => record);
    return found.length > limit && last !== undefined ? { sessions, nextCursor: cursorOf(last.place) } : { sessions };
  }

  async delete(key: SessionKey): Promise<boolean> {
    this.#assertOpen();
    const session = this.#sessions.get(nameOf(key));
    if (session === undefined) return false;
    this.#sessions.delete(nameOf(key));
    ring(session);
    return true;
  }

  async read(key: SessionKey, after: Position | undefined, limits: PageLimits): Promise<JournalPage> {
    this.#assertOpen();
    const session = this.#sessions.get(nameOf(key));
    return session === undefined ? { is: "missing" } : session.journal.read(after, limits);
  }

  watch(key: SessionKey, onChange: () => void): () => void {
    const session = this.#sessions.get(nameOf(key));
    const listener = (): void => onChange(); // one for each call, so that each is ended by itself
    session?.watchers.add(listener);
    return () => void session?.watchers.delete(listener);
  }

  async join(options: ReplicaOptions): Promise<Membership> {
    this.#assertOpen();
    const { id, ttlMs } = options;
    if (this.#members.has(id)) throw new EngineError("exists", `There is a replica ${id} already`);
    const member: Member = { options, until: this.#now() + ttlMs };
    this.#members.set(id, member);
    return {
      id,
      acquire: async (key) => this.#acquire(key, id),
      append: async (lease, first, entries, patch) => this.#append(lease, first, entries, patch),
      trim: async (lease, first) => this.#current(lease)?.journal.trim(first),
      release: async (lease) => {
        const session = this.#current(lease);
        if (session !== undefined) session.holder = undefined;
      },
      renew: async () => {
        this.#assertOpen();
        const wasMember = this.#isMember(id);
        member.until = this.#now() + ttlMs;
        this.#members.set(id, member);
        return wasMember;
      },
      send: async (replica, message) => this.#send(replica, message),
      leave: async () => void this.#members.delete(id),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sessions.clear();
    this.#members.clear();
  }

  #acquire(key: SessionKey, replica: string): Acquired {
    this.#assertOpen();
    const session = this.#sessions.get(nameOf(key));
    if (session === undefined) return { is: "missing" };
    const { holder } = session;
    if (holder !== undefined && holder !== replica && this.#isMember(holder)) return { is: "taken", by: holder };
    session.holder = replica;
    session.epoch += 1;
    const lease = { key: session.key, epoch: session.epoch };
    return { is: "held", lease, last: session.journal.last, record: session.record };
  }

  #append(lease: Lease, first: number, texts: readonly string[], patch: RecordPatch = {}): Appended {
    this.#assertOpen();
    const session = this.#sessions.get(nameOf(lease.key));
    if (session === undefined) return { is: "missing" };
    if (session.epoch !== lease.epoch) return { is: "stale" };
    const { journal } = session;
    if (journal.last.seq + 1 !== first) return { is: "misplaced", last: journal.last.seq };
    if (texts.length > 0) {
      journal.append(texts.map((text, i): StoredEntry => ({ seq: first + i, epoch: lease.epoch, text })));
      session.record = { ...session.record, ...patch, updatedAt: this.#now() };
      ring(session);
    }
    return { is: "appended" };
  }

  /** The session of a lease, if no other is newer. */
  #current({ key, epoch }: Lease): Session | undefined {
    this.#assertOpen();
    const session = this.#sessions.get(nameOf(key));
    return session?.epoch === epoch ? session : undefined;
  }

  #send(replica: string, message: string): boolean {
    this.#assertOpen();
    const member = this.#isMember(replica) ? this.#members.get(replica) : undefined;
    if (member === undefined) return false;
    void Promise.resolve().then(() => {
      if (this.#members.get(replica) === member) member.options.onMessage(message);
    });
    return true;
  }

  #isMember(replica: string): boolean {
    return (this.#members.get(replica)?.until ?? Number.NEGATIVE_INFINITY) > this.#now();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new EngineError("closed", "The memory engine is closed");
  }
}

/** Asynchronously, as an engine elsewhere would: a listener never runs inside an append. */
function ring({ watchers }: Session): void {
  if (watchers.size === 0) return;
  void Promise.resolve().then(() => {
    for (const onChange of [...watchers]) if (watchers.has(onChange)) onChange();
  });
}

/** No two keys have the same name, whatever characters their parts contain. */
function nameOf({ scope: { tenant, user }, sessionId }: SessionKey): string {
  return JSON.stringify([tenant, user, sessionId]);
}
