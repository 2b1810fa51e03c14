/**
 * The ids of messages, which version 2 requires. An agent of version 1 may send none: then adjacent chunks of one kind
 * are one message. The ids are new for each connection, because a client keeps messages longer than a connection.
 */
export class MessageIds {
  readonly #prefix = `acp-kit-${Math.random().toString(36).slice(2, 12)}`;
  #count = 0;
  #run: { readonly kind: string; readonly id: string } | undefined;

  next(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }

  /** Returns the id of a chunk. */
  ofChunk(kind: string, messageId: string | null | undefined): string {
    if (typeof messageId === "string") {
      this.#run = undefined;
      return messageId;
    }
    if (this.#run?.kind !== kind) this.#run = { kind, id: this.next() };
    return this.#run.id;
  }

  /** Something else follows, such as a tool call, so that the next chunk begins a message. */
  endMessage(): void {
    this.#run = undefined;
  }
}
