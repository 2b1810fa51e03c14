/** Buffers messages of other replicas until {@link open}. */
export class Inbox {
  #waiting: string[] = [];
  #handler: ((message: string) => void) | undefined;

  receive(message: string): void {
    if (this.#handler === undefined) this.#waiting.push(message);
    else this.#handler(message);
  }

  /** Passes the buffered messages, and all later ones, to a handler. */
  open(handler: (message: string) => void): void {
    this.#handler = handler;
    for (const message of this.#waiting.splice(0)) handler(message);
  }
}
