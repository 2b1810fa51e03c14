import type { Message, Mutation, Wire, Written } from "./mutation.js";

/** The outputs of a proxy. */
export interface ProxyEnds {
  toKit(bytes: Uint8Array): void;
  toPeer(bytes: Uint8Array): void;
  die(): void;
}

const encoder = new TextEncoder();

/** Forwards the lines of one connection, changed by a mutation. Does no I/O. */
export class WireProxy implements Wire {
  initialize: Message = {};
  readonly #ends: ProxyEnds;
  readonly #mutation: Mutation;
  readonly #fromKit = new Map<string, Message>();
  readonly #fromPeer = new Map<string, Message>();
  readonly #peerLines = new Lines((line) => this.#peerWrote(line));
  readonly #kitLines = new Lines((line) => this.#kitWrote(line));

  constructor(mutation: Mutation, ends: ProxyEnds) {
    this.#mutation = mutation;
    this.#ends = ends;
  }

  /** Processes bytes that the peer under test wrote. */
  peerWrote(bytes: Uint8Array): void {
    this.#peerLines.push(bytes);
  }

  /** Processes bytes that the kit wrote. */
  kitWrote(bytes: Uint8Array): void {
    this.#kitLines.push(bytes);
  }

  get openFromKit(): Iterable<Message> {
    return this.#fromKit.values();
  }

  askedByKit({ id }: Message): Message | undefined {
    return this.#fromKit.get(keyOf(id));
  }

  askedByPeer({ id }: Message): Message | undefined {
    return this.#fromPeer.get(keyOf(id));
  }

  toKit(written: Written): void {
    this.#ends.toKit(bytesOf(written));
  }

  toPeer(message: Message): void {
    this.#ends.toPeer(bytesOf(message));
  }

  die(): void {
    this.#ends.die();
  }

  #peerWrote(line: string): void {
    const message = messageOf(line);
    if (!message) {
      this.toKit(line);
      return;
    }
    const isRequest = "method" in message && "id" in message;
    if (message.method === "initialize") this.initialize = message.params ?? {};
    if (isRequest) this.#fromPeer.set(keyOf(message.id), message);
    for (const each of this.#mutation.fromPeer?.(message, this) ?? [message]) this.toKit(each);
    if (!("method" in message)) this.#fromKit.delete(keyOf(message.id));
  }

  #kitWrote(line: string): void {
    const message = messageOf(line);
    if (!message) {
      this.#mutation.onText?.(line, this);
      this.#ends.toPeer(encoder.encode(`${line}\n`));
      return;
    }
    if (message.method === "initialize") this.initialize = message.params ?? {};
    if ("method" in message && "id" in message) this.#fromKit.set(keyOf(message.id), message);
    for (const each of this.#mutation.fromKit?.(message, this) ?? [message]) this.toPeer(each);
    if (!("method" in message)) this.#fromPeer.delete(keyOf(message.id));
  }
}

/** Splits bytes into lines. Buffers an incomplete line. */
class Lines {
  readonly #decoder = new TextDecoder();
  readonly #onLine: (line: string) => void;
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Uint8Array): void {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    for (let end = this.#rest.indexOf("\n"); end !== -1; end = this.#rest.indexOf("\n")) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 1);
      this.#onLine(line);
    }
  }
}

const keyOf = (id: unknown): string => `${typeof id} ${id}`;

function messageOf(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(written: Written): Uint8Array {
  if (written instanceof Uint8Array) return written;
  return encoder.encode(`${typeof written === "string" ? written : JSON.stringify(written)}\n`);
}
