import {
  type Acquired,
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
  type Membership,
  type NewSessionRecord,
  type PageLimits,
  type Position,
  type RecordPatch,
  type ReplicaOptions,
  type Scope,
  type SessionKey,
} from "@acp-kit/gateway";
import { RedisKeys } from "./redis-keys.js";
import { RedisMail } from "./redis-mail.js";
import type { RedisPort } from "./redis-port.js";
import { redisScripts } from "./redis-scripts.js";

/** Entries that one step of a trim removes: other commands go between the steps. */
const TRIM_STEP = 1_000;
/** Sessions of a directory that are looked up at once. */
const LIST_STEP = 200;
/** Holders of one session that are found dead, one after the other, before an acquisition gives up. */
const MAX_HOLDERS = 10;

/** A session in a directory. */
interface Listed {
  readonly sessionId: string;
  readonly cwd: string;
  readonly place: number;
}

/** The engine on a server that was checked. @internal */
export class RedisEngine implements Engine {
  /** Redis replicates after it has acknowledged. */
  readonly mayLose = true;
  readonly #port: RedisPort;
  readonly #keys: RedisKeys;
  readonly #mails = new Set<RedisMail>();
  #isClosed = false;

  constructor(port: RedisPort, prefix: string) {
    this.#port = port;
    this.#keys = new RedisKeys(prefix);
  }

  async create(scope: Scope, { sessionId, cwd, additionalDirectories, state }: NewSessionRecord): Promise<void> {
    this.#assertOpen();
    const key = { scope, sessionId };
    const place = String(await this.#port.command("INCR", this.#keys.places(scope)));
    const args = [place, sessionId, cwd, JSON.stringify(additionalDirectories), state];
    const existing = (await this.#port.run(redisScripts.create, [this.#keys.session(key)], args)) as
      | 1
      | [string, string];
    // The directory may be on another node. An attempt that ended between the two steps is completed by the next one.
    const [listed, folder] = existing === 1 ? [place, cwd] : existing;
    await this.#port.command("ZADD", this.#keys.directory(scope), listed, memberOf(sessionId, folder));
    if (existing !== 1) throw new EngineError("exists", `There is a session ${sessionId} already`);
  }

  async find(key: SessionKey): Promise<DirectoryRecord | undefined> {
    this.#assertOpen();
    const fields = fieldsOf(await this.#port.command("HGETALL", this.#keys.session(key)));
    return fields.size === 0 ? undefined : recordOf(fields);
  }

  async list(scope: Scope, { cwd, cursor, limit }: DirectoryQuery): Promise<DirectoryPage> {
    this.#assertOpen();
    const directory = this.#keys.directory(scope);
    const found: { readonly place: number; readonly record: DirectoryRecord }[] = [];
    let before = cursor === undefined ? Number.POSITIVE_INFINITY : directoryPlaceOf(cursor);
    while (found.length <= limit) {
      const listed = await this.#listed(directory, before);
      const wanted = listed.filter((session) => cwd === undefined || session.cwd === cwd);
      found.push(...(await this.#records(scope, wanted, limit + 1 - found.length)));
      if (listed.length < LIST_STEP) break;
      before = listed.at(-1)?.place ?? 0;
    }
    const page = found.slice(0, limit);
    const end = page.at(-1);
    const sessions = page.map(({ record }) => record);
    if (found.length <= limit || end === undefined) return { sessions };
    return { sessions, nextCursor: directoryCursorOf(end.place) };
  }

  async count(scope: Scope): Promise<number> {
    this.#assertOpen();
    return Number(await this.#port.command("ZCARD", this.#keys.directory(scope)));
  }

  async delete(key: SessionKey): Promise<boolean> {
    this.#assertOpen();
    const keys = [this.#keys.session(key), this.#keys.journal(key)];
    const deleted = (await this.#port.run(redisScripts.delete, keys, [this.#keys.bell(key)])) as
      | [string, string]
      | null;
    if (deleted === null) return false;
    const [place, cwd] = deleted;
    await this.#unlist(key.scope, key.sessionId, cwd, place);
    return true;
  }

  async read(key: SessionKey, after: Position | undefined, { maxEntries, maxChars }: PageLimits): Promise<JournalPage> {
    this.#assertOpen();
    const keys = [this.#keys.session(key), this.#keys.journal(key)];
    const from = after === undefined ? ["", ""] : [`${after.seq}`, `${after.epoch}`];
    const reply = (await this.#port.run(redisScripts.read, keys, [
      ...from,
      `${maxEntries}`,
      `${maxChars}`,
    ])) as string[];
    const [is, one, other, ...rest] = reply;
    if (is === "missing") return { is };
    if (is === "expired") return { is, first: Number(one) + 1 };
    const last = { seq: Number(one), epoch: Number(other) };
    if (is === "ahead") return { is, last };
    const entries = [];
    for (let at = 0; at < rest.length; at += 2) {
      const [seq, epoch] = (rest[at] as string).split("-");
      entries.push({ seq: Number(seq), epoch: Number(epoch), text: rest[at + 1] as string });
    }
    return { is: "page", entries, last };
  }

  watch(key: SessionKey, onChange: () => void): () => void {
    return this.#port.subscribe(this.#keys.bell(key), onChange);
  }

  async join({ id, ttlMs, onMessage }: ReplicaOptions): Promise<Membership> {
    this.#assertOpen();
    const member = this.#keys.member(id);
    const joined = await this.#port.command("SET", member, "", "NX", "PX", `${ttlMs}`);
    if (joined === null) throw new EngineError("exists", `There is a replica ${id} already`);
    const names = { stream: this.#keys.mail(id), bell: this.#keys.mailBell(id) };
    const mail = new RedisMail(this.#port, names, onMessage);
    this.#mails.add(mail);
    return {
      id,
      acquire: (key) => this.#acquire(key, id),
      append: (lease, first, entries, patch) => this.#append(lease, first, entries, patch),
      trim: (lease, first) => this.#trim(lease, first),
      release: async ({ key, epoch }) => {
        this.#assertOpen();
        await this.#port.run(redisScripts.release, [this.#keys.session(key)], [`${epoch}`]);
      },
      renew: async () => {
        this.#assertOpen();
        mail.fetch(); // a bell may have been lost
        return (await this.#port.run(redisScripts.renew, [member, names.stream], [`${ttlMs}`])) === 1;
      },
      send: async (replica, message) => {
        this.#assertOpen();
        const keys = [this.#keys.member(replica), this.#keys.mail(replica)];
        return (await this.#port.run(redisScripts.send, keys, [message, this.#keys.mailBell(replica)])) === 1;
      },
      leave: async () => {
        mail.close();
        this.#mails.delete(mail);
        if (!this.#isClosed) await this.#port.command("UNLINK", member, names.stream);
      },
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const mail of this.#mails) mail.close();
    await this.#port.close();
  }

  async #acquire(key: SessionKey, replica: string): Promise<Acquired> {
    this.#assertOpen();
    const session = this.#keys.session(key);
    let dead = replica;
    for (let tries = 0; ; tries++) {
      const [is, one, fields] = (await this.#port.run(redisScripts.acquire, [session], [replica, dead])) as [
        string,
        string,
        unknown,
      ];
      if (is === "missing") return { is };
      if (is === "held") {
        const known = fieldsOf(fields);
        const last = { seq: numberOf(known, "last"), epoch: numberOf(known, "last_epoch") };
        return { is, lease: { key, epoch: Number(one) }, last, record: recordOf(known) };
      }
      // Its membership may be on another node. If it returns in between, its next append is refused: it knows that it was away.
      const isMember = (await this.#port.command("EXISTS", this.#keys.member(one))) === 1;
      if (isMember || tries === MAX_HOLDERS) return { is: "taken", by: one };
      dead = one;
    }
  }

  async #append(
    { key, epoch }: Lease,
    first: number,
    texts: readonly string[],
    patch: RecordPatch = {},
  ): Promise<Appended> {
    this.#assertOpen();
    const { title, state } = patch;
    const keys = [this.#keys.session(key), this.#keys.journal(key)];
    const [is, last] = (await this.#port.run(redisScripts.append, keys, [
      ...[`${epoch}`, `${first}`, this.#keys.bell(key)],
      ...(title === undefined ? ["", ""] : [title === null ? "0" : "1", title ?? ""]),
      ...(state === undefined ? ["", ""] : ["1", state]),
      ...texts,
    ])) as [Appended["is"], string];
    return is === "misplaced" ? { is, last: Number(last) } : { is };
  }

  async #trim({ key, epoch }: Lease, first: number): Promise<void> {
    const keys = [this.#keys.session(key), this.#keys.journal(key)];
    for (;;) {
      this.#assertOpen();
      if ((await this.#port.run(redisScripts.trim, keys, [`${epoch}`, `${first}`, `${TRIM_STEP}`])) === 1) return;
    }
  }

  async #listed(directory: string, before: number): Promise<Listed[]> {
    const from = before === Number.POSITIVE_INFINITY ? "+inf" : `(${before}`;
    const range = [directory, from, "-inf", "BYSCORE", "REV", "LIMIT", "0", `${LIST_STEP}`, "WITHSCORES"];
    const reply = (await this.#port.command("ZRANGE", ...range)) as readonly string[];
    const listed: Listed[] = [];
    for (let at = 0; at < reply.length; at += 2) {
      const [sessionId, cwd] = JSON.parse(reply[at] as string) as [string, string];
      listed.push({ sessionId, cwd, place: Number(reply[at + 1]) });
    }
    return listed;
  }

  /** The records of the first `count` of these sessions that still exist. */
  async #records(scope: Scope, listed: readonly Listed[], count: number) {
    const found: { readonly place: number; readonly record: DirectoryRecord }[] = [];
    for (let at = 0; at < listed.length && found.length < count; at += count) {
      const some = listed.slice(at, at + count);
      const replies = some.map(({ sessionId }) =>
        this.#port.command("HGETALL", this.#keys.session({ scope, sessionId })),
      );
      for (const [i, reply] of (await Promise.all(replies)).entries()) {
        const { sessionId, cwd, place } = some[i] as Listed;
        const fields = fieldsOf(reply);
        if (fields.get("place") === `${place}`) found.push({ place, record: recordOf(fields) });
        else await this.#unlist(scope, sessionId, cwd, place); // its deletion ended between the two steps
      }
    }
    return found;
  }

  async #unlist(scope: Scope, sessionId: string, cwd: string, place: number | string): Promise<void> {
    await this.#port.run(redisScripts.unlist, [this.#keys.directory(scope)], [memberOf(sessionId, cwd), `${place}`]);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new EngineError("closed", "The connection to Redis is closed");
  }
}

/** A session in a directory: with its folder, so that a list of one folder reads no other session. */
function memberOf(sessionId: string, cwd: string): string {
  return JSON.stringify([sessionId, cwd]);
}

/** A hash as a map, of a list of names and values. */
function fieldsOf(reply: unknown): Map<string, string> {
  const list = reply as readonly string[];
  const fields = new Map<string, string>();
  for (let at = 0; at < list.length; at += 2) fields.set(list[at] as string, list[at + 1] as string);
  return fields;
}

function recordOf(fields: ReadonlyMap<string, string>): DirectoryRecord {
  return {
    sessionId: textOf(fields, "id"),
    cwd: textOf(fields, "cwd"),
    additionalDirectories: JSON.parse(textOf(fields, "more")) as string[],
    title: fields.get("title") ?? null,
    state: textOf(fields, "state"),
    createdAt: numberOf(fields, "created"),
    updatedAt: numberOf(fields, "updated"),
  };
}

function textOf(fields: ReadonlyMap<string, string>, name: string): string {
  const text = fields.get(name);
  if (text === undefined)
    throw new EngineError("corrupt", `A session in Redis has no ${name}: no gateway has written it`);
  return text;
}

function numberOf(fields: ReadonlyMap<string, string>, name: string): number {
  return Number(textOf(fields, name));
}
