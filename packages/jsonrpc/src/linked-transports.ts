import { checkOptions, type OptionKinds } from "./check-options.js";
import { copyJson, valueOfText } from "./copy-json.js";
import { passCause } from "./error-causes.js";
import type { Message } from "./message.js";
import { type MessageLimits, messageLimitsOf } from "./message-limits.js";
import { refusedMessage } from "./refused-message.js";
import { closedBeforeStart, type MalformedInput, type Transport, type TransportReceiver } from "./transport.js";

/** Options of {@link linkedTransports}. The limits of messages do not apply if `serialize` is `false`. */
export interface LinkedTransportOptions extends MessageLimits {
  /**
   * Whether each message is delivered as if it had been sent as JSON text: without shared objects and `undefined`
   * members, and with an error for values that can't be serialized. With `false`, objects are passed by reference and
   * unchecked, which is faster. Use it only for two sides that trust each other and never change a message after
   * sending it. The default is `true`.
   */
  readonly serialize?: boolean;
  /** The number of undelivered messages above which `full` makes the sender wait. The default is 1024. */
  readonly highWaterMark?: number;
}

/**
 * Creates two connected transports in one process, for tests, for an agent in the client's process, and for proxies.
 *
 * Messages are delivered in order and asynchronously, in a microtask. Closing one transport ends the input of the
 * other. The size of a message is the length of its JSON text, before escaping. If a handler throws, the `RpcError` of
 * the caller has the thrown error as its `cause`.
 */
export function linkedTransports(options: LinkedTransportOptions = {}): [LinkedTransport, LinkedTransport] {
  checkOptions("linkedTransports", options, optionKinds);
  const a = new LinkedTransport(options);
  const b = new LinkedTransport(options);
  a.link(b);
  b.link(a);
  return [a, b];
}

const optionKinds: OptionKinds<LinkedTransportOptions> = {
  serialize: "value",
  highWaterMark: "value",
  maxMessageDepth: "value",
  maxMessageNodes: "value",
};

const settled: Promise<void> = Promise.resolve();

/** Stands in the queue for a message that exceeds the limits; the receiver gets a report instead. */
class Refused {
  readonly input: MalformedInput;
  constructor(input: MalformedInput) {
    this.input = input;
  }
}

/** One of the two transports that {@link linkedTransports} creates. */
export class LinkedTransport implements Transport {
  readonly #serialize: boolean;
  readonly #limits: Required<MessageLimits>;
  readonly #highWaterMark: number;
  #peer: LinkedTransport | undefined;
  #receiver: TransportReceiver | undefined;
  /** The messages for this transport. The messages before the index {@link #next} have been delivered. */
  #inbox: (Message | Refused | undefined)[] = [];
  #sizes: number[] = [];
  #next = 0;
  #scheduled = false;
  #paused = false;
  #inputEnded = false;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  /** Delivers the queued messages. The function is created once, because it is scheduled for nearly every message. */
  readonly #wake: () => void = () => this.#deliver();
  #full: Promise<void> | undefined;
  #hasRoom: (() => void) | undefined;

  /** @internal Use {@link linkedTransports}. */
  constructor({ serialize = true, highWaterMark = 1024, ...limits }: LinkedTransportOptions) {
    this.#serialize = serialize;
    this.#limits = messageLimitsOf(limits);
    this.#highWaterMark = highWaterMark;
  }

  /** @internal */
  link(peer: LinkedTransport): void {
    this.#peer = peer;
  }

  get full(): Promise<void> | undefined {
    return this.#full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#ended) {
      const error = this.#failure?.error ?? closedBeforeStart();
      queueMicrotask(() => receiver.failed(error));
    } else this.#schedule();
  }

  send(message: Message, text?: string): number {
    if (!this.#serialize) return this.#accept(message, 0);
    const { value, size, problem } =
      text === undefined ? copyJson(message, this.#limits) : valueOfText(text, this.#limits);
    const carried = problem === undefined ? (value as Message) : new Refused(refusedMessage(message, problem, size));
    if (typeof carried === "object" && carried !== null && "error" in message && !(carried instanceof Refused))
      passCause(message, carried);
    return this.#accept(carried, size);
  }

  #accept(message: Message | Refused, size: number): number {
    const peer = this.#peer;
    if (this.#ended || peer === undefined || peer.#ended) return 0;
    peer.#inbox.push(message);
    peer.#sizes.push(size);
    peer.#schedule();
    if (this.#full === undefined && peer.#inbox.length - peer.#next >= this.#highWaterMark) {
      this.#full = new Promise((resolve) => {
        this.#hasRoom = resolve;
      });
    }
    return size;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#empty();
    this.#release();
    this.#peer?.peerClosed();
  }

  /** Breaks the connection, for tests: both transports fail with `error`, and undelivered messages are lost. */
  break(error: unknown): void {
    for (const end of [this, this.#peer]) {
      if (end === undefined || end.#ended) continue;
      end.#ended = true;
      end.#failure = { error };
      end.#empty();
      end.#release();
      end.#receiver?.failed(error);
    }
  }

  /** @internal Called when the other transport has closed, and no longer sends or reads messages. */
  peerClosed(): void {
    this.#release();
    this.#inputEnded = true;
    this.#schedule();
  }

  /** @internal Called when the other transport has read so many messages that this transport may send again. */
  peerHasRoom(): void {
    this.#release();
  }

  #release(): void {
    this.#full = undefined;
    this.#hasRoom?.();
    this.#hasRoom = undefined;
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused || this.#receiver === undefined || this.#ended) return;
    if (this.#next === this.#inbox.length && !this.#inputEnded) return;
    this.#scheduled = true;
    void settled.then(this.#wake); // `queueMicrotask` is slower in Node
  }

  #deliver(): void {
    this.#scheduled = false;
    const receiver = this.#receiver;
    if (receiver === undefined || this.#ended) return;
    while (this.#next < this.#inbox.length && !this.#paused && !this.#ended) {
      const message = this.#inbox[this.#next];
      const size = this.#sizes[this.#next] as number;
      this.#inbox[this.#next] = undefined;
      this.#next += 1;
      if (message instanceof Refused) receiver.malformed(message.input);
      else receiver.message(message, size);
    }
    if (this.#ended) return;
    const waiting = this.#inbox.length - this.#next;
    if (waiting === 0) this.#empty();
    else if (this.#next > 1024 && this.#next > waiting) this.#compact();
    if (waiting < this.#highWaterMark / 2) this.#peer?.peerHasRoom();
    if (waiting === 0 && this.#inputEnded && !this.#paused) {
      this.#inputEnded = false;
      receiver.ended();
    }
  }

  #empty(): void {
    this.#inbox = [];
    this.#sizes = [];
    this.#next = 0;
  }

  /**
   * Removes delivered messages. It is called only if more than half of the messages are delivered, so that the total
   * cost stays linear even if reading pauses after every message.
   */
  #compact(): void {
    this.#inbox = this.#inbox.slice(this.#next);
    this.#sizes = this.#sizes.slice(this.#next);
    this.#next = 0;
  }
}
