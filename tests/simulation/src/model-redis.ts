import type { RedisScript } from "@acp-kit/gateway-redis";
import type { ModelServer, StoredSession } from "./model-server.js";

interface StreamEntry {
  readonly seq: number;
  readonly epoch: number;
  readonly text: string;
}

/** The data of the server. A standby has a copy of them. */
interface RedisData {
  readonly hashes: Map<string, Map<string, string>>;
  readonly sets: Map<string, Map<string, number>>;
  readonly streams: Map<string, StreamEntry[]>;
  readonly expiring: Map<string, number>;
  readonly counters: Map<string, number>;
}

/**
 * The maximum number of entries that the script returns; longer pages are read in two steps. It is small, so that the short journals of a simulation
 * also have longer pages.
 */
const SHORT_PAGE = 3;

/**
 * A model of Redis in memory. It executes each command and script of the engine atomically. Other tests show that the engine's code fulfils the contract of
 * engines on this model and on the real server. Notifications have no content and may be lost.
 */
export class ModelRedis implements ModelServer {
  readonly #now: () => number;
  #data: RedisData = {
    hashes: new Map(),
    sets: new Map(),
    streams: new Map(),
    expiring: new Map(),
    counters: new Map(),
  };
  readonly #subscribers = new Map<string, Set<() => void>>();
  /** The number of messages so far, for their ids. It is not a part of the data, because an id must not be used twice after a failover. */
  #mails = 0;

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
    return [...this.#data.hashes.values()].map(storedSessionOf);
  }

  /** Returns the session with this key. */
  session(key: string): StoredSession | undefined {
    const fields = this.#data.hashes.get(key);
    return fields && storedSessionOf(fields);
  }

  subscribe(channel: string, onMessage: () => void): () => void {
    const listener = (): void => onMessage();
    const listeners = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  command([name = "", key = "", ...args]: readonly string[]): unknown {
    switch (name) {
      case "INCR": {
        const next = (this.#data.counters.get(key) ?? 0) + 1;
        this.#data.counters.set(key, next);
        return next;
      }
      case "ZADD":
        this.#set(key).set(args[1] ?? "", Number(args[0]));
        return 1;
      case "ZCARD":
        return this.#set(key).size;
      case "ZRANGE": {
        const before = args[0] === "+inf" ? Number.POSITIVE_INFINITY : Number(args[0]?.slice(1));
        const found = [...this.#set(key)].filter(([, place]) => place < before).sort(([, a], [, b]) => b - a);
        return found.slice(0, Number(args[6])).flatMap(([member, place]) => [member, `${place}`]);
      }
      case "HGETALL":
        return [...(this.#data.hashes.get(key) ?? [])].flat();
      case "SET": {
        if (this.#isThere(key)) return null;
        this.#data.expiring.set(key, this.#now() + Number(args[3]));
        return "OK";
      }
      case "EXISTS":
        return this.#isThere(key) ? 1 : 0;
      case "UNLINK":
        this.#data.expiring.delete(key);
        for (const other of args) this.#data.streams.delete(other);
        return 1;
      case "XRANGE": {
        const [start, end, , count = "Infinity"] = args;
        const from = start === "-" ? 0 : Number(start);
        const to = end === "+" ? [Number.POSITIVE_INFINITY, 0] : (end ?? "").split("-").map(Number);
        return this.#stream(key)
          .filter(({ seq, epoch }) => seq >= from && (seq < (to[0] ?? 0) || (seq === to[0] && epoch <= (to[1] ?? 0))))
          .slice(0, Number(count))
          .map(({ seq, epoch, text }) => [`${seq}-${epoch}`, ["0", text]]);
      }
      case "XDEL": {
        const left = this.#stream(key).filter(({ seq }) => !args.includes(`${seq}-0`));
        this.#data.streams.set(key, left);
        return 1;
      }
      default:
        throw new Error(`The model has no command ${name}`);
    }
  }

  run({ name }: RedisScript, [key = "", other = ""]: readonly string[], args: readonly string[]): unknown {
    const session = this.#data.hashes.get(key);
    const [first = "", second = ""] = args;
    switch (name) {
      case "create": {
        if (session !== undefined) return [session.get("place"), session.get("cwd")];
        const [place = "", id = "", cwd = "", more = "", state = ""] = args;
        const at = `${this.#now()}`;
        const ends = { epoch: "0", last: "0", last_epoch: "0", trimmed: "0", trimmed_epoch: "0" };
        const fields = { place, id, cwd, more, state, created: at, updated: at, ...ends };
        this.#data.hashes.set(key, new Map(Object.entries(fields)));
        return 1;
      }
      case "delete":
        if (session === undefined) return null;
        this.#data.hashes.delete(key);
        this.#data.streams.delete(other);
        this.#publish(first);
        return [session.get("place"), session.get("cwd")];
      case "unlist":
        if (this.#set(key).get(first) === Number(second)) this.#set(key).delete(first);
        return 1;
      case "acquire": {
        if (session === undefined) return ["missing"];
        const holder = session.get("holder");
        if (holder !== undefined && holder !== first && holder !== second) return ["taken", holder];
        const epoch = `${Math.max(Number(session.get("epoch")) + 1, this.#now())}`;
        session.set("epoch", epoch).set("holder", first);
        return ["held", epoch, [...session].flat()];
      }
      case "append":
        return this.#append(session, other, args);
      case "read":
        return this.#read(session, other, args);
      case "trim": {
        if (session?.get("epoch") !== first) return 1;
        const trimmed = Number(session.get("trimmed"));
        const last = Math.min(Number(second) - 1, Number(session.get("last")));
        const step = Math.min(last, trimmed + Number(args[2]));
        if (step <= trimmed) return 1;
        const at = this.#stream(other).find(({ seq }) => seq === step);
        if (at !== undefined) session.set("trimmed_epoch", `${at.epoch}`);
        session.set("trimmed", `${step}`);
        const left = this.#stream(other).filter(({ seq }) => seq > step);
        this.#data.streams.set(other, left);
        return step === last ? 1 : 0;
      }
      case "release":
        if (session?.get("epoch") === first) session.delete("holder");
        return 1;
      case "renew": {
        const was = this.#isThere(key) ? 1 : 0;
        this.#data.expiring.set(key, this.#now() + Number(first));
        return was;
      }
      case "send":
        if (!this.#isThere(key)) return 0;
        this.#stream(other).push({ seq: ++this.#mails, epoch: 0, text: first });
        this.#publish(second);
        return 1;
      default:
        throw new Error(`The model has no script ${name}`);
    }
  }

  #append(session: Map<string, string> | undefined, journal: string, args: readonly string[]): unknown {
    const [epoch = "", first, bell = "", isTitled, title = "", hasState, state = "", ...texts] = args;
    if (session === undefined) return ["missing"];
    if (session.get("epoch") !== epoch) return ["stale"];
    let last = Number(session.get("last"));
    if (last + 1 !== Number(first)) return ["misplaced", `${last}`];
    if (texts.length === 0) return ["appended"];
    for (const text of texts) this.#stream(journal).push({ seq: ++last, epoch: Number(epoch), text });
    session.set("last", `${last}`).set("last_epoch", epoch).set("updated", `${this.#now()}`);
    if (isTitled === "1") session.set("title", title);
    else if (isTitled === "0") session.delete("title");
    if (hasState === "1") session.set("state", state);
    this.#publish(bell);
    return ["appended"];
  }

  #read(session: Map<string, string> | undefined, journal: string, args: readonly string[]): unknown {
    if (session === undefined) return ["missing"];
    const at = (name: string): number => Number(session.get(name));
    const [seq, epoch] = args[0] === "" ? [at("trimmed"), at("trimmed_epoch")] : [Number(args[0]), Number(args[1])];
    if (seq < at("trimmed")) return ["expired", `${at("trimmed")}`];
    const entries = this.#stream(journal);
    const known =
      (seq === at("trimmed") && epoch === at("trimmed_epoch")) ||
      entries.some((entry) => entry.seq === seq && entry.epoch === epoch);
    if (!known) return ["ahead", `${at("last")}`, `${at("last_epoch")}`];
    const page = ["page", `${at("last")}`, `${at("last_epoch")}`];
    let left = Number(args[3]);
    for (const entry of entries.filter((entry) => entry.seq > seq).slice(0, Number(args[2]))) {
      left -= new TextEncoder().encode(entry.text).length;
      if (left < 0 && page.length > 3) break;
      page.push(`${entry.seq}-${entry.epoch}`, entry.text);
    }
    const isLong = page.length > 3 + 2 * Math.min(SHORT_PAGE, Number(args[4]));
    if (isLong) return ["range", `${at("last")}`, `${at("last_epoch")}`, `${seq}`, page.at(-2)];
    return page;
  }

  #publish(channel: string): void {
    for (const listener of [...(this.#subscribers.get(channel) ?? [])]) listener();
  }

  #isThere(key: string): boolean {
    return (this.#data.expiring.get(key) ?? 0) > this.#now();
  }

  #set(key: string): Map<string, number> {
    const set = this.#data.sets.get(key) ?? new Map<string, number>();
    this.#data.sets.set(key, set);
    return set;
  }

  #stream(key: string): StreamEntry[] {
    const stream = this.#data.streams.get(key) ?? [];
    this.#data.streams.set(key, stream);
    return stream;
  }
}

function storedSessionOf(fields: ReadonlyMap<string, string>): StoredSession {
  return {
    sessionId: fields.get("id") ?? "",
    epoch: Number(fields.get("epoch")),
    holder: fields.get("holder"),
    last: { seq: Number(fields.get("last")), epoch: Number(fields.get("last_epoch")) },
  };
}
