import { createHash } from "node:crypto";
import {
  type Acquired,
  type AcquireOptions,
  type Appended,
  type DirectoryPage,
  type DirectoryQuery,
  type DirectoryRecord,
  directoryCursorOf,
  directoryPlaceOf,
  type Engine,
  EngineError,
  type JournalPage,
  type Lease,
  MailReader,
  type Membership,
  type NewSessionRecord,
  type PageLimits,
  type Position,
  type RecordPatch,
  type ReplicaOptions,
  type Scope,
  type SessionKey,
} from "@acp-kit/gateway/engine";
import { AppendQueue } from "./append-queue.js";
import { Notices } from "./notices.js";
import { postgresMail } from "./postgres-mail.js";
import type { PostgresPort, PostgresRow } from "./postgres-port.js";
import { type PostgresStatements, postgresStatements } from "./postgres-statements.js";
import { keyDigest, scopeDigest, storable, storedText } from "./postgres-text.js";

/** The number of entries that one step of a trim removes. Appends run between the steps. */
const TRIM_STEP = 1_000;

/** The engine on a server that `checkServer` has accepted, in a migrated schema. @internal */
export class PostgresEngine implements Engine {
  /** A failover may lose entries, because a standby may be asynchronous. */
  readonly mayLose = true;
  readonly #port: PostgresPort;
  readonly #statements: PostgresStatements;
  readonly #appends: AppendQueue;
  readonly #notices: Notices;
  readonly #ends = new Set<() => void>();
  #isClosed = false;

  /** @param schema the name of the schema, and of the channel for notices. */
  constructor(port: PostgresPort, schema: string) {
    this.#port = port;
    this.#statements = postgresStatements(`"${schema}"`);
    this.#appends = new AppendQueue(port, this.#statements.append);
    this.#notices = new Notices(port, this.#statements.notify, schema);
  }

  async create(scope: Scope, { sessionId, cwd, additionalDirectories, state }: NewSessionRecord): Promise<void> {
    this.#assertOpen();
    const names = [scope.tenant, scope.user, sessionId, cwd].map(storable);
    const values = [keyDigest({ scope, sessionId }), scopeDigest(scope), ...names];
    const more = storable(JSON.stringify(additionalDirectories));
    const rows = await this.#port.run(this.#statements.create, [...values, more, storable(state)]);
    if (rows.length === 0) throw new EngineError("exists", `A session with the id ${sessionId} already exists`);
  }

  async find(key: SessionKey): Promise<DirectoryRecord | undefined> {
    this.#assertOpen();
    const [row] = await this.#port.run(this.#statements.find, [keyDigest(key)]);
    return row && recordOf(row);
  }

  async list(scope: Scope, { cwd, cursor, limit }: DirectoryQuery): Promise<DirectoryPage> {
    this.#assertOpen();
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : directoryPlaceOf(cursor);
    const values = [scopeDigest(scope), before, cwd === undefined ? null : storable(cwd), limit + 1];
    const rows = await this.#port.run(this.#statements.list, values);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const sessions = page.map(recordOf);
    if (rows.length <= limit || last === undefined) return { sessions };
    return { sessions, nextCursor: directoryCursorOf(Number(last.place)) };
  }

  async count(scope: Scope): Promise<number> {
    this.#assertOpen();
    const [row] = await this.#port.run(this.#statements.count, [scopeDigest(scope)]);
    return Number(row?.count);
  }

  async delete(key: SessionKey): Promise<boolean> {
    this.#assertOpen();
    const { deleteSession, deleteEntries } = this.#statements;
    const rows = await this.#port.runBoth(deleteSession, [keyDigest(key)], deleteEntries, "place");
    if (rows.length > 0) this.#notices.send(keyDigest(key));
    return rows.length > 0;
  }

  async read(key: SessionKey, after: Position | undefined, { maxEntries, maxChars }: PageLimits): Promise<JournalPage> {
    this.#assertOpen();
    const values = [keyDigest(key), after?.seq ?? null, after?.epoch ?? null, maxEntries, maxChars];
    const [head, ...rows] = await this.#port.run(this.#statements.read, values);
    if (head === undefined) return { is: "missing" };
    const [is, lastSeq, lastEpoch, trimmed] = JSON.parse(head.text as string) as [string, number, number, number];
    if (is === "expired") return { is, first: trimmed + 1 };
    const last = { seq: lastSeq, epoch: lastEpoch };
    if (is === "ahead") return { is, last };
    const entries = rows.map(({ seq, epoch, text }) => ({
      seq: Number(seq),
      epoch: Number(epoch),
      text: storedText(text as string),
    }));
    return { is: "page", entries, last };
  }

  watch(key: SessionKey, onChange: () => void): () => void {
    return this.#notices.add(keyDigest(key), onChange);
  }

  async join({ id, ttlMs, onMessage }: ReplicaOptions): Promise<Membership> {
    this.#assertOpen();
    const rows = await this.#port.run(this.#statements.join, [id, ttlMs]);
    if (rows.length === 0) throw new EngineError("exists", `A replica with the id ${id} already exists`);
    await this.#port.run(this.#statements.sweep, []);
    const mail = new MailReader(postgresMail(this.#port, this.#statements, id), onMessage);
    const stopListening = this.#notices.add(replicaDigest(id), () => mail.fetch());
    const end = (): void => {
      mail.close();
      stopListening();
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    let sent: Promise<unknown> = Promise.resolve();
    return {
      id,
      acquire: (key, options) => this.#acquire(key, id, options),
      append: (lease, first, entries, patch) => this.#append(lease, first, entries, patch),
      trim: (lease, first) => this.#trim(lease, first),
      release: async ({ key, epoch }) => {
        this.#assertOpen();
        await this.#port.run(this.#statements.release, [keyDigest(key), epoch]);
      },
      renew: async () => {
        this.#assertOpen();
        mail.fetch(); // a notice may have been lost
        // After an outage, many statements wait. If the renewal waited behind them, other replicas would acquire the
        // sessions of this replica.
        const [row] = await this.#port.runReserved(this.#statements.renew, [id, ttlMs], ttlMs / 3);
        return row?.was === true;
      },
      send: (replica, message) => {
        // Messages are sent one after the other, because statements on two connections may be executed in another
        // order.
        const result = sent.then(() => this.#send(replica, message));
        sent = result.catch(() => {});
        return result;
      },
      leave: async () => {
        end();
        if (this.#isClosed) return;
        // The process may end after `leave`; without the notices, readers would notice the last entries late.
        await this.#notices.flush();
        await this.#port.run(this.#statements.leave, [id]);
      },
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of [...this.#ends]) end();
    await this.#port.close();
  }

  async #acquire(key: SessionKey, replica: string, { sparesEnded = false }: AcquireOptions = {}): Promise<Acquired> {
    this.#assertOpen();
    const [row] = await this.#port.run(this.#statements.acquire, [keyDigest(key), replica, sparesEnded]);
    if (row === undefined) return { is: "missing" };
    if (row.held !== true)
      return { is: "taken", by: row.by as string, ...(row.is_member !== true && { hasEnded: true }) };
    const last = { seq: Number(row.last_seq), epoch: Number(row.last_epoch) };
    return { is: "held", lease: { key, epoch: Number(row.epoch) }, last, record: recordOf(row) };
  }

  async #append(lease: Lease, first: number, texts: readonly string[], patch: RecordPatch = {}): Promise<Appended> {
    this.#assertOpen();
    const appended = await this.#appends.add(lease, first, texts, patch);
    if (appended.is === "appended" && texts.length > 0) this.#notices.send(keyDigest(lease.key));
    return appended;
  }

  async #trim({ key, epoch }: Lease, first: number): Promise<void> {
    for (;;) {
      this.#assertOpen();
      const [row] = await this.#port.run(this.#statements.trim, [keyDigest(key), epoch, first, TRIM_STEP]);
      if (row === undefined || row.done === true) return;
    }
  }

  async #send(replica: string, message: string): Promise<boolean> {
    this.#assertOpen();
    const rows = await this.#port.run(this.#statements.send, [replica, storable(message)]);
    if (rows.length > 0) this.#notices.send(replicaDigest(replica));
    return rows.length > 0;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new EngineError("closed", "The connection to PostgreSQL is closed");
  }
}

function replicaDigest(replica: string): Buffer {
  return createHash("sha256").update(`replica ${replica}`).digest();
}

function recordOf(row: PostgresRow): DirectoryRecord {
  return {
    sessionId: storedText(row.id as string),
    cwd: storedText(row.cwd as string),
    additionalDirectories: JSON.parse(storedText(row.additional_directories as string)) as string[],
    title: row.title === null ? null : storedText(row.title as string),
    state: storedText(row.state as string),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
