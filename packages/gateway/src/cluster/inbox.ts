/** Messages of other replicas, until there is an object that handles them. */
export class Inbox {
  #waiting: string[] = [];
  #handler: ((message: string) => void) | undefined;

  receive(message: string): void {
    if (this.#handler === undefined) this.#waiting.push(message);
    else this.#handler(message);
  }

  /** Hands over what has arrived, and everything from now on. */
  open(handler: (message: string) => void): void {
    this.#handler = handler;
    for (const message of this.#waiting.splice(0)) handler(message);
  }
}
