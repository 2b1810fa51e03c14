import type { Message } from "./message.js";
import type { Observers } from "./observers.js";
import type { Transport } from "./transport.js";

/** The one way out: whatever is sent is seen by the taps, and after the end nothing is. */
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

  /** Throws when the message can't be serialised; then nothing was sent. */
  send(message: Message): void {
    if (this.#ended) return;
    const size = this.#transport.send(message);
    if (this.#observers.tapped) this.#observers.see("sent", message, size);
  }

  /** The transport broke or is being closed. */
  end(): void {
    this.#ended = true;
  }
}
