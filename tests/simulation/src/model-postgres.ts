import type { PostgresRow, PostgresStatement } from "@acp-kit/gateway-postgres";
import type { ModelServer, StoredSession } from "./model-server.js";

interface Session {
  readonly place: number;
  readonly scope: string;
  readonly record: { [name: string]: unknown };
  epoch: number;
  holder: string | null;
  last: { seq: number; epoch: number };
  trimmed: { seq: number; epoch: number };
  entries: { readonly seq: number; readonly epoch: number; readonly text: string }[];
}

/** The data of the server. A standby has a copy of them. */
interface PostgresData {
  readonly sessions: Map<string, Session>;
  readonly members: Map<string, number>;
  mail: { readonly id: number; readonly replica: string; readonly message: string }[];
  places: number;
  mails: number;
}

/**
 * A model of PostgreSQL in memory. It executes each statement of the engine atomically. Other tests show that the
 * engine's code fulfils the contract of engines on this model and on the real server. The model executes no statements
 * concurrently, so it does not test their isolation.
 */
export class ModelPostgres implements ModelServer {
  readonly #now: () => number;
  #data: PostgresData = { sessions: new Map(), members: new Map(), mail: [], places: 0, mails: 0 };
  readonly #listeners = new Set<(payload: string) => void>();

  constructor(now: () => number) {
    this.#now = () => Math.floor(now()); // servers use whole milliseconds
  }

  copy(): () => void {
    const data = structuredClone(this.#data);
    return () => {
      this.#data = data;
    };
  }

  get sessions(): readonly StoredSession[] {
    return [...this.#data.sessions.values()].map(storedSessionOf);
  }

  /** Returns the session with this key. */
  session(key: Buffer): StoredSession | undefined {
    const session = this.#data.sessions.get(key.toString("hex"));
    return session && storedSessionOf(session);
  }

  /** Returns the texts of the newest entries of a session. */
  newest(key: Buffer, count: number): string[] {
    const { entries = [] } = this.#data.sessions.get(key.toString("hex")) ?? {};
    return entries.slice(entries.length - count).map(({ text }) => text);
  }

  listen(onNotice: (payload: string) => void): () => void {
    this.#listeners.add(onNotice);
    return () => void this.#listeners.delete(onNotice);
  }

  run({ name }: PostgresStatement, values: readonly unknown[]): PostgresRow[] {
    const [one, two, three, four] = values;
    const id = Buffer.isBuffer(one) ? one.toString("hex") : String(one);
    const session = this.#data.sessions.get(id);
    switch (name.slice("acp_kit_".length)) {
      case "create": {
        if (session !== undefined) return [];
        const [, scope, , , sessionId, cwd, additional_directories, state] = values;
        const place = ++this.#data.places;
        const [created_at, updated_at] = [this.#now(), this.#now()];
        const record = {
          place,
          id: sessionId,
          cwd,
          additional_directories,
          title: null,
          state,
          created_at,
          updated_at,
        };
        const none = { seq: 0, epoch: 0 };
        const journal = { epoch: 0, holder: null, last: none, trimmed: none, entries: [] };
        this.#data.sessions.set(id, { place, scope: (scope as Buffer).toString("hex"), record, ...journal });
        return [{ place }];
      }
      case "find":
        return session === undefined ? [] : [{ ...session.record }];
      case "list":
        return this.#inScope(id)
          .filter(({ place, record }) => place < Number(two) && (three === null || record.cwd === three))
          .sort((a, b) => b.place - a.place)
          .slice(0, Number(four))
          .map(({ record }) => ({ ...record }));
      case "count":
        return [{ count: this.#inScope(id).length }];
      case "deleteSession":
        this.#data.sessions.delete(id);
        return session === undefined ? [] : [{ place: session.place }];
      case "deleteEntries":
        return [];
      case "read":
        return this.#read(session, values);
      case "acquire": {
        if (session === undefined) return [];
        const { holder: by } = session;
        const is_member = by !== null && this.#isMember(by);
        if (by !== null && by !== two && (three === true || is_member)) return [{ by, is_member, held: false }];
        session.holder = String(two);
        session.epoch = Math.max(session.epoch + 1, this.#now());
        const { epoch, last, record } = session;
        return [{ by, is_member, held: true, epoch, last_seq: last.seq, last_epoch: last.epoch, ...record }];
      }
      case "append":
        return this.#append(values);
      case "trim": {
        if (session === undefined || session.epoch !== two) return [];
        const until = Math.min(Number(three) - 1, session.last.seq);
        const step = Math.min(until, session.trimmed.seq + Number(four));
        const at = session.entries.find(({ seq }) => seq === step);
        if (step > session.trimmed.seq) session.trimmed = { seq: step, epoch: at?.epoch ?? session.trimmed.epoch };
        session.entries = session.entries.filter(({ seq }) => seq > step);
        return [{ done: step >= until }];
      }
      case "release":
        if (session !== undefined && session.epoch === two) session.holder = null;
        return [];
      case "join":
        if (this.#data.members.has(id)) return [];
        this.#data.members.set(id, this.#now() + Number(two));
        return [{ id }];
      case "renew": {
        const was = this.#isMember(id);
        this.#data.members.set(id, this.#now() + Number(two));
        return [{ was }];
      }
      case "leave":
        this.#data.members.delete(id);
        this.#data.mail = this.#data.mail.filter(({ replica }) => replica !== id);
        return [];
      case "send":
        if (!this.#isMember(id)) return [];
        this.#data.mail.push({ id: ++this.#data.mails, replica: id, message: String(two) });
        return [{ id: this.#data.mails }];
      case "mail":
        return this.#data.mail.filter(({ replica }) => replica === id).slice(0, Number(two));
      case "received":
        this.#data.mail = this.#data.mail.filter((mail) => !(one as readonly number[]).includes(mail.id));
        return [];
      case "notify":
        for (const listener of [...this.#listeners]) listener(String(two));
        return [];
      case "sweep":
        return [];
      default:
        throw new Error(`The model has no statement ${name}`);
    }
  }

  #append(values: readonly unknown[]): PostgresRow[] {
    const [keys, epochs, firsts, counts, titled, titles, states, owners, , offsets, lengths, bytes] = values as [
      Buffer[],
      number[],
      number[],
      number[],
      boolean[],
      (string | null)[],
      (string | null)[],
      number[],
      number[],
      number[],
      number[],
      Buffer,
    ];
    const texts = owners.map((owner, at) => {
      const from = (offsets[at] ?? 1) - 1;
      return { owner, text: bytes.toString("utf8", from, from + (lengths[at] ?? 0)) };
    });
    return keys.flatMap((key, index) => {
      const session = this.#data.sessions.get(key.toString("hex"));
      if (session === undefined) return [];
      const found = { i: index + 1, epoch: session.epoch, last_seq: session.last.seq };
      const epoch = epochs[index] ?? 0;
      if (session.epoch !== epoch || session.last.seq + 1 !== firsts[index] || counts[index] === 0) return [found];
      for (const { owner, text } of texts) {
        if (owner !== index + 1) continue;
        session.last = { seq: session.last.seq + 1, epoch };
        session.entries.push({ ...session.last, text });
      }
      session.record.updated_at = this.#now();
      if (titled[index] === true) session.record.title = titles[index];
      if (states[index] !== null) session.record.state = states[index];
      return [found];
    });
  }

  #read(session: Session | undefined, [, seq, epoch, maxEntries, maxBytes]: readonly unknown[]): PostgresRow[] {
    if (session === undefined) return [];
    const { last, trimmed, entries } = session;
    const from = seq === null ? trimmed : { seq: Number(seq), epoch: Number(epoch) };
    const isSame = (one: { readonly seq: number; readonly epoch: number }): boolean =>
      one.seq === from.seq && one.epoch === from.epoch;
    const isKnown = isSame(trimmed) || entries.some(isSame);
    const status = from.seq < trimmed.seq ? "expired" : isKnown ? "page" : "ahead";
    const head = { seq: 0, epoch: 0, text: JSON.stringify([status, last.seq, last.epoch, trimmed.seq]) };
    const page: PostgresRow[] = [];
    let left = Number(maxBytes);
    if (status === "page")
      for (const entry of entries.filter((entry) => entry.seq > from.seq).slice(0, Number(maxEntries))) {
        left -= Buffer.byteLength(entry.text);
        if (left < 0 && page.length > 0) break;
        page.push({ ...entry });
      }
    return [head, ...page];
  }

  #inScope(scope: string): Session[] {
    return [...this.#data.sessions.values()].filter((session) => session.scope === scope);
  }

  #isMember(id: string): boolean {
    return (this.#data.members.get(id) ?? 0) > this.#now();
  }
}

function storedSessionOf({ record, epoch, holder, last }: Session): StoredSession {
  return { sessionId: String(record.id), epoch, holder: holder ?? undefined, last: { ...last } };
}
