/**
 * The ids of messages, which version 2 requires. An agent of version 1 may send none: then adjacent chunks of one kind
 * are one message. The ids are new for each connection, because a client keeps messages longer than a connection.
 */
export class MessageIds {
  /** Returns an id that no other message has. */
  readonly next: () => string;
  #run: { readonly kind: string; readonly id: string } | undefined;

  constructor(next: () => string = randomIds()) {
    this.next = next;
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

function randomIds(): () => string {
  const prefix = `acp-kit-${Math.random().toString(36).slice(2, 12)}`;
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}
