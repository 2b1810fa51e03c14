import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";

/**
 * The members of a message port that the transport uses. Ports of the web and of Node have them, and so does a
 * `Worker`.
 */
export interface Port {
  postMessage(value: unknown): void;
  addEventListener(type: "message" | "close", listener: (event: { readonly type: string }) => void): void;
  start?(): void;
  close?(): void;
}

/**
 * The messages on the port. A port can't report how many messages the other side has read, so the other side sends that
 * number.
 */
type Parcel = { readonly message: unknown } | { readonly taken: number } | { readonly end: true };

/** The number of unread messages above which `full` signals back-pressure. */
const WINDOW = 256;

/** A transport over a message port. It sends objects, not JSON text. */
export function portTransport(port: Port): Transport {
  return new PortTransport(port);
}

class PortTransport implements Transport {
  readonly #port: Port;
  #receiver: TransportReceiver | undefined;
  /** Messages that arrived before `start` or while reading is paused. */
  #inbox: unknown[] = [];
  #paused = true;
  #inputEnded = false;
  #closed = false;
  /** The number of sent messages that the other side has not read. */
  #underway = 0;
  #full: Promise<void> | undefined;
  #hasRoom: (() => void) | undefined;

  constructor(port: Port) {
    this.#port = port;
    port.addEventListener("message", (event) => this.#open((event as { readonly data?: unknown }).data as Parcel));
    port.addEventListener("close", () => this.#open({ end: true }));
    port.start?.();
  }

  get full(): Promise<void> | undefined {
    return this.#full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    queueMicrotask(() => this.resume()); // nothing is delivered from inside `start`
  }

  send(message: Message): number {
    if (this.#closed) return 0;
    try {
      this.#port.postMessage({ message } satisfies Parcel);
    } catch (cause) {
      throw new TypeError("The message can't be cloned", { cause });
    }
    this.#underway += 1;
    if (this.#underway >= WINDOW) {
      this.#full ??= new Promise((resolve) => {
        this.#hasRoom = resolve;
      });
    }
    return 0; // objects have no size on a wire
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#deliver();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#inbox = [];
    this.#release();
    // A port keeps the order, so all sent messages arrive before
    this.#port.postMessage({ end: true } satisfies Parcel);
    this.#port.close?.();
  }

  #open(parcel: Parcel): void {
    if (this.#closed) return;
    if ("message" in parcel) {
      this.#inbox.push(parcel.message);
      this.#deliver();
    } else if ("taken" in parcel) {
      this.#underway -= parcel.taken;
      if (this.#underway < WINDOW) this.#release();
    } else {
      this.#inputEnded = true;
      this.#deliver();
    }
  }

  #deliver(): void {
    let taken = 0;
    while (!this.#paused && !this.#closed && taken < this.#inbox.length) {
      const message = this.#inbox[taken];
      taken += 1;
      this.#receiver?.message(message, 0);
    }
    this.#inbox.splice(0, taken);
    if (taken > 0 && !this.#closed) this.#port.postMessage({ taken } satisfies Parcel);
    if (!this.#inputEnded || this.#inbox.length > 0 || this.#paused || this.#closed) return;
    this.#inputEnded = false; // reported once
    this.#release();
    this.#receiver?.ended();
  }

  #release(): void {
    this.#hasRoom?.();
    this.#full = undefined;
  }
}
