import type { Message } from "./message.js";
import type { Transport, TransportReceiver } from "./transport.js";

/** How {@link linkedTransports} carry messages. */
export interface LinkedTransportOptions {
  /**
   * Send each message as JSON text, exactly as a wire would: no shared objects, no `undefined` members, and what can't be serialised
   * throws. `false` hands the objects over as they are, for speed; then nobody may change a message after sending it. Default `true`.
   */
  readonly serialize?: boolean;
  /** Messages on their way above which `full` asks the sender to wait. Default 1024. */
  readonly highWaterMark?: number;
}

/**
 * Two transports in one process, each the other's peer: for tests, for hosting an agent in the client's process, for proxies.
 *
 * Delivery is asynchronous (a microtask later) and in order. Closing one ends the other's input.
 */
export function linkedTransports(options: LinkedTransportOptions = {}): [LinkedTransport, LinkedTransport] {
  const a = new LinkedTransport(options);
  const b = new LinkedTransport(options);
  a.link(b);
  b.link(a);
  return [a, b];
}

/** One end of a pair made by {@link linkedTransports}. */
export class LinkedTransport implements Transport {
  readonly #serialize: boolean;
  readonly #highWaterMark: number;
  #peer: LinkedTransport | undefined;
  #receiver: TransportReceiver | undefined;
  /** Messages for this end; `string` when serialised. */
  #inbox: unknown[] = [];
  #scheduled = false;
  #paused = false;
  #inputEnded = false;
  #ended = false;
  #full: Promise<void> | undefined;
  #hasRoom: (() => void) | undefined;

  /** @internal Use {@link linkedTransports}. */
  constructor({ serialize = true, highWaterMark = 1024 }: LinkedTransportOptions) {
    this.#serialize = serialize;
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
    this.#schedule();
  }

  send(message: Message): number {
    const packed = this.#serialize ? serialize(message) : message;
    const peer = this.#peer;
    if (this.#ended || peer === undefined || peer.#ended) return 0;
    peer.#inbox.push(packed);
    peer.#schedule();
    if (peer.#inbox.length >= this.#highWaterMark && this.#full === undefined) {
      this.#full = new Promise((resolve) => {
        this.#hasRoom = resolve;
      });
    }
    return typeof packed === "string" ? packed.length : 0;
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
    this.#inbox = [];
    this.#release();
    this.#peer?.peerClosed();
  }

  /** Breaks the pair as a cable does: both ends fail with `error`, and what was on its way is lost. For tests. */
  break(error: unknown): void {
    for (const end of [this, this.#peer]) {
      if (end === undefined || end.#ended) continue;
      end.#ended = true;
      end.#inbox = [];
      end.#release();
      end.#receiver?.failed(error);
    }
  }

  /** @internal The other end closed: nothing more will come, and nobody reads what is sent. */
  peerClosed(): void {
    this.#release();
    this.#inputEnded = true;
    this.#schedule();
  }

  /** @internal The other end has read enough of what was sent. */
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
    if (this.#inbox.length === 0 && !this.#inputEnded) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#scheduled = false;
    const receiver = this.#receiver;
    if (receiver === undefined || this.#ended) return;
    const batch = this.#inbox;
    let next = 0;
    for (; next < batch.length && !this.#paused && !this.#ended; next += 1) {
      const packed = batch[next];
      if (this.#serialize) receiver.message(JSON.parse(packed as string), (packed as string).length);
      else receiver.message(packed, 0);
    }
    if (this.#ended) return;
    this.#inbox = next === batch.length && this.#inbox === batch ? [] : batch.slice(next);
    if (this.#inbox.length < this.#highWaterMark / 2) this.#peer?.peerHasRoom();
    if (this.#inbox.length > 0) this.#schedule();
    else if (this.#inputEnded && !this.#paused) {
      this.#inputEnded = false;
      receiver.ended();
    }
  }
}

function serialize(message: Message): string {
  return JSON.stringify(message);
}
