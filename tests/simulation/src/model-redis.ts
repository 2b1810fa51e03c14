import type { RedisScript } from "@acp-kit/gateway-redis";
import type { ModelServer, StoredSession } from "./model-server.js";

/** An entry of a stream with the id `<seq>-<epoch>`, and one field. */
interface StreamEntry {
  readonly seq: number;
  readonly epoch: number;
  readonly name: string;
  readonly value: string;
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
 * The maximum number of entries that the script returns; longer pages are read in two steps. It is small, so that the
 * short journals of a simulation also have longer pages.
 */
const SHORT_PAGE = 3;

/**
 * A model of Redis in memory. It executes each command and script of the engine atomically. Other tests show that the
 * engine's code fulfils the contract of engines on this model and on the real server. Notifications have no content and
 * may be lost.
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
  /**
   * The number of messages so far, for their ids. It is not a part of the data, because an id must not be used twice
   * after a failover.
   */
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
          .map(replyOf);
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
        const ends = { epoch: "0", last: "0", last_epoch: "0", trimmed: "0", trimmed_epoch: "0", chars: "0" };
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
        const part = this.#stream(other).find(({ seq }) => seq >= step);
        if (part !== undefined) session.set("trimmed_epoch", `${part.epoch}`);
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
        this.#stream(other).push({ seq: ++this.#mails, epoch: 0, name: "m", value: first });
        this.#publish(second);
        return 1;
      default:
        throw new Error(`The model has no script ${name}`);
    }
  }

  #append(session: Map<string, string> | undefined, journal: string, args: readonly string[]): unknown {
    const [epoch = "", before = "", bell = "", isTitled, title = "", hasState, state = "", last = ""] = args;
    if (session === undefined) return ["missing"];
    if (session.get("epoch") !== epoch) return ["stale"];
    if (session.get("last") !== before) return ["misplaced", session.get("last")];
    if (args.length === 8) return ["appended"];
    let chars = Number(session.get("chars"));
    for (const { id, name, size, value } of partsOfAppend(args)) {
      chars += size;
      this.#stream(journal).push({
        seq: Number.parseInt(id, 10),
        epoch: Number(epoch),
        name: `${name}${chars}`,
        value,
      });
    }
    session.set("chars", `${chars}`);
    session.set("last", last).set("last_epoch", epoch).set("updated", `${this.#now()}`);
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
    const parts = this.#stream(journal);
    const from = parts.findIndex((part) => part.seq >= seq);
    const known = seq === at("trimmed") ? at("trimmed_epoch") : parts[from]?.epoch;
    if (known !== epoch) return ["ahead", `${at("last")}`, `${at("last_epoch")}`];
    const [maxEntries, maxChars, maxShort] = args.slice(2).map(Number) as [number, number, number];
    const end = [`${at("last")}`, `${at("last_epoch")}`, `${seq}`];
    const after = parts.filter((part) => part.seq > seq);
    let left = maxChars;
    const page: StreamEntry[] = [];
    for (const part of after) {
      const first = Number.parseInt(part.name, 10);
      if (first > seq) left -= part.value.length; // at least the characters of its entries
      if (first > seq + maxEntries || (left < 0 && page.length > 0)) break;
      page.push(part);
    }
    const last = page.at(-1);
    if (last === undefined || maxEntries === 0) return ["page", ...end, []];
    if (last.seq - seq > Math.min(SHORT_PAGE, maxShort)) return ["range", ...end, `${last.seq}-${last.epoch}`];
    return ["page", ...end, page.map(replyOf)];
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

/** Returns the entries in the arguments of an append by a gateway, which writes no line ends. */
export function entriesOfAppend(args: readonly string[]): readonly string[] {
  return partsOfAppend(args).flatMap(({ value }) => value.split("\n"));
}

function partsOfAppend(args: readonly string[]) {
  const parts: { readonly id: string; readonly name: string; readonly size: number; readonly value: string }[] = [];
  for (let at = 8; at < args.length; at += 4) {
    const [id = "", name = "", size, value = ""] = args.slice(at);
    parts.push({ id, name, size: Number(size), value });
  }
  return parts;
}

const replyOf = ({ seq, epoch, name, value }: StreamEntry) => [`${seq}-${epoch}`, [name, value]];

function storedSessionOf(fields: ReadonlyMap<string, string>): StoredSession {
  return {
    sessionId: fields.get("id") ?? "",
    epoch: Number(fields.get("epoch")),
    holder: fields.get("holder"),
    last: { seq: Number(fields.get("last")), epoch: Number(fields.get("last_epoch")) },
  };
}
