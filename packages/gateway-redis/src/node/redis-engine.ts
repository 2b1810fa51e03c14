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
  entriesOfParts,
  type JournalPage,
  journalPartsOf,
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
import { firstOfPart, type PartReply, partOf } from "./journal-parts.js";
import { RedisKeys } from "./redis-keys.js";
import { redisMail } from "./redis-mail.js";
import type { RedisPort } from "./redis-port.js";
import { redisScripts } from "./redis-scripts.js";

/** The number of entries that one step of a trim removes. Other commands run between the steps. */
const TRIM_STEP = 1_000;
/**
 * The maximum number of entries of a page in the reply of the script that reads. A longer page is read with a second
 * command, because commands read parts faster than scripts.
 */
const SHORT_PAGE = 100;
/** The number of sessions of a directory that are read with one command. */
const LIST_STEP = 200;
/**
 * The maximum number of attempts of one acquisition to replace a holder that is no longer a member. After them, the
 * result is `taken`.
 */
const MAX_HOLDERS = 10;

/** The reply of the script that reads. See `redisScripts.read`. */
type ReadReply =
  | readonly ["missing"]
  | readonly ["expired", first: string]
  | readonly ["ahead", last: string, epoch: string]
  | readonly ["page", last: string, epoch: string, before: string, parts: readonly PartReply[]]
  | readonly ["range", last: string, epoch: string, before: string, end: string];

/** A session in a directory. */
interface Listed {
  readonly sessionId: string;
  readonly cwd: string;
  readonly place: number;
}

/** The engine on a server that `checkServer` has accepted. @internal */
export class RedisEngine implements Engine {
  /** A failover may lose entries, because Redis acknowledges them before it replicates them. */
  readonly mayLose = true;
  readonly #port: RedisPort;
  readonly #keys: RedisKeys;
  readonly #ends = new Set<() => void>();
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
    const keys = [this.#keys.session(key), this.#keys.deleted(key)];
    const existing = (await this.#port.run(redisScripts.create, keys, args)) as 1 | [string, string];
    // In a cluster, the directory may be on another node, so it is written in a second step. If only the first step was
    // executed, the next attempt executes the second.
    const [listed, folder] = existing === 1 ? [place, cwd] : existing;
    await this.#list(key, listed, folder);
    if (existing !== 1) throw new EngineError("exists", `A session with the id ${sessionId} already exists`);
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
      const wanted = listed.filter((session) => cwd === undefined || session.cwd === wellFormed(cwd));
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
    const keys = [this.#keys.session(key), this.#keys.journal(key), this.#keys.deleted(key)];
    const deleted = (await this.#port.run(redisScripts.delete, keys, [this.#keys.bell(key)])) as
      | [string, string]
      | null;
    if (deleted === null) return false;
    const [place, cwd] = deleted;
    await this.#unlist(key.scope, key.sessionId, cwd, place);
    return true;
  }

  async read(key: SessionKey, after: Position | undefined, limits: PageLimits): Promise<JournalPage> {
    this.#assertOpen();
    const keys = [this.#keys.session(key), this.#keys.journal(key)] as const;
    const from = after === undefined ? ["", ""] : [`${after.seq}`, `${after.epoch}`];
    const args = [...from, `${limits.maxEntries}`, `${limits.maxChars}`, `${SHORT_PAGE}`];
    const reply = (await this.#port.run(redisScripts.read, keys, args)) as ReadReply;
    const [is, one, other, before, rest] = reply;
    if (is === "missing") return { is };
    if (is === "expired") return { is, first: Number(one) + 1 };
    const last = { seq: Number(one), epoch: Number(other) };
    if (is === "ahead") return { is, last };
    const parts = is === "page" ? rest : await this.#range(keys[1], Number(before), rest);
    if (parts !== undefined)
      return { is: "page", entries: entriesOfParts(parts.map(partOf), Number(before), limits), last };
    // The journal has changed since the first step: read a short page, which needs only one step
    return this.read(key, after, { ...limits, maxEntries: SHORT_PAGE });
  }

  watch(key: SessionKey, onChange: () => void): () => void {
    return this.#port.subscribe(this.#keys.bell(key), onChange);
  }

  async join({ id, ttlMs, onMessage }: ReplicaOptions): Promise<Membership> {
    this.#assertOpen();
    const member = this.#keys.member(id);
    const joined = await this.#port.command("SET", member, "", "NX", "PX", `${ttlMs}`);
    if (joined === null) throw new EngineError("exists", `A replica with the id ${id} already exists`);
    const stream = this.#keys.mail(id);
    const mail = new MailReader(redisMail(this.#port, stream), onMessage);
    const stopListening = this.#port.subscribe(this.#keys.mailBell(id), () => mail.fetch());
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
        await this.#port.run(redisScripts.release, [this.#keys.session(key)], [`${epoch}`]);
      },
      renew: async () => {
        this.#assertOpen();
        mail.fetch(); // a notification may have been lost
        return (await this.#port.run(redisScripts.renew, [member, stream], [`${ttlMs}`])) === 1;
      },
      send: (replica, message) => {
        // Messages are sent one after the other, because the link repeats a script that the server does not know, and
        // later messages could overtake the repetition.
        const result = sent.then(() => this.#send(replica, message));
        sent = result.catch(() => {});
        return result;
      },
      leave: async () => {
        end();
        if (!this.#isClosed) await this.#port.command("UNLINK", member, stream);
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
        // Lists the session again, because a failover may have lost the second step of its creation
        if (last.seq === 0) await this.#list(key, textOf(known, "place"), textOf(known, "cwd"));
        return { is, lease: { key, epoch: Number(one) }, last, record: recordOf(known) };
      }
      // In a cluster, the holder's membership may be on another node, so it is read in a second step. If the holder
      // renews it between the steps, the holder's next append is stale.
      const isMember = (await this.#port.command("EXISTS", this.#keys.member(one))) === 1;
      if (isMember || tries === MAX_HOLDERS) return { is: "taken", by: one };
      if (sparesEnded) return { is: "taken", by: one, hasEnded: true };
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
    const parts = journalPartsOf(texts, first).flatMap((part) => [
      `${part.last}-${epoch}`,
      `${part.first}-`,
      `${part.chars}`,
      part.texts,
    ]);
    const [is, last] = (await this.#port.run(redisScripts.append, keys, [
      ...[`${epoch}`, `${first - 1}`, this.#keys.bell(key)],
      ...(title === undefined ? ["", ""] : [title === null ? "0" : "1", title ?? ""]),
      ...(state === undefined ? ["", ""] : ["1", state]),
      ...[`${first + texts.length - 1}`, ...parts],
    ])) as [Appended["is"], string];
    return is === "misplaced" ? { is, last: Number(last) } : { is };
  }

  async #send(replica: string, message: string): Promise<boolean> {
    this.#assertOpen();
    const keys = [this.#keys.member(replica), this.#keys.mail(replica)];
    return (await this.#port.run(redisScripts.send, keys, [message, this.#keys.mailBell(replica)])) === 1;
  }

  async #trim({ key, epoch }: Lease, first: number): Promise<void> {
    const keys = [this.#keys.session(key), this.#keys.journal(key)];
    for (;;) {
      this.#assertOpen();
      if ((await this.#port.run(redisScripts.trim, keys, [`${epoch}`, `${first}`, `${TRIM_STEP}`])) === 1) return;
    }
  }

  /**
   * Returns the parts with the entries after a number, up to the part with an id, or `undefined` if the journal no
   * longer has all of them. The last id shows whether the key contains the same journal: an id contains the epoch, and
   * a session that was deleted and created again has other epochs, unless the server's clock was set back.
   */
  async #range(journal: string, before: number, end: string): Promise<readonly PartReply[] | undefined> {
    const found = (await this.#port.command("XRANGE", journal, `${before + 1}`, end)) as readonly PartReply[];
    const start = found[0];
    if (start === undefined || firstOfPart(start) > before + 1 || found.at(-1)?.[0] !== end) return undefined;
    return found;
  }

  async #list({ scope, sessionId }: SessionKey, place: string, cwd: string): Promise<void> {
    await this.#port.command("ZADD", this.#keys.directory(scope), place, memberOf(sessionId, cwd));
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

  /**
   * Reads the records of these sessions, until `count` records are found. Removes sessions that no longer exist from
   * the directory.
   */
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
        else await this.#unlist(scope, sessionId, cwd, place); // only the first of two steps of a deletion was executed
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

/**
 * Returns the text that stands for a session in a directory. The text contains the session's folder, so that a list of
 * one folder does not read other sessions.
 */
function memberOf(sessionId: string, cwd: string): string {
  return JSON.stringify([wellFormed(sessionId), wellFormed(cwd)]);
}

/**
 * Returns a text as Redis returns it: lone surrogates are replaced. Otherwise a folder that was read from a record
 * would give another text than the folder itself.
 */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Converts the reply to HGETALL, a list of names and values, to a map. */
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
