import type { Message } from "./message.js";
import type { Observers } from "./observers.js";
import type { Transport } from "./transport.js";

/**
 * Sends all messages of a connection. The taps receive each message. After the end of the connection, nothing is sent.
 */
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

  /**
   * Sends a message, with its JSON text if that is known. Throws if the message can't be serialized; nothing is sent
   * then.
   */
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
