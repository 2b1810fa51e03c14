import type { Message } from "./message.js";
import type { Observers } from "./observers.js";
import type { Transport } from "./transport.js";

/** The exit for all output: every sent message is shown to the taps, and nothing is sent after the end. */
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

  /** Throws when the message can't be serialised; nothing is sent then. */
  send(message: Message): void {
    if (this.#ended) return;
    const size = this.#transport.send(message);
    if (this.#observers.tapped) this.#observers.see("sent", message, size);
  }

  /** Called when the transport failed or is being closed. */
  end(): void {
    this.#ended = true;
  }
}
