import type { Message } from "./message.js";
import type { Observers } from "./observers.js";
import type { Transport } from "./transport.js";

/** Sends all messages of a connection. The taps receive each message. After the connection's end, nothing is sent. */
export class Outbox {
  readonly #transport: Transport;
  readonly #observers: Observers;
  #ended = false;

  constructor(transport: Transport, observers: Observers) {
    this.#transport = transport;
    this.#observers = observers;
  }

  /** See {@link Transport.full}. */
  get full(): Promise<void> | undefined {
    return this.#ended ? undefined : this.#transport.full;
  }

  /** Sends a message, with its JSON text if known. Throws, and sends nothing, if it can't be serialized. */
  send(message: Message, text?: string): void {
    if (this.#ended) return;
    const size = this.#transport.send(message, text);
    if (this.#observers.tapped) this.#observers.see("sent", message, size);
  }

  /** Called when the transport failed or is being closed. */
  end(): void {
    this.#ended = true;
  }
}
