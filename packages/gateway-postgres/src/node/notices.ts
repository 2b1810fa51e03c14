import type { PostgresPort } from "./postgres-port.js";
import type { PostgresStatement } from "./postgres-statements.js";

/** Names in one notice: PostgreSQL takes at most 8,000 bytes. */
const MAX_NAMES = 400;

/**
 * Listeners for what happens to sessions and replicas, in this process and in others. Notices for others are statements of their own, many names in
 * one and one at a time: in the transaction of an append, each would hold a lock of the whole server.
 */
export class Notices {
  readonly #port: PostgresPort;
  readonly #statement: PostgresStatement;
  readonly #channel: string;
  readonly #listeners = new Map<string, Set<() => void>>();
  #names = new Set<string>();
  #isSending = false;

  constructor(port: PostgresPort, statement: PostgresStatement, channel: string) {
    this.#port = port;
    this.#statement = statement;
    this.#channel = channel;
    port.listen(
      (payload) => {
        for (const name of payload.split(",")) this.#call(name);
      },
      () => {
        for (const name of [...this.#listeners.keys()]) this.#call(name);
      },
    );
  }

  /** Calls `onNotice` after notices with a name; the returned function ends that. */
  add(digest: Buffer, onNotice: () => void): () => void {
    const name = nameOf(digest);
    const listener = (): void => onNotice(); // one for each call, so that each is ended by itself
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => {
      if (listeners.delete(listener) && listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /** Calls the listeners of this process soon, and those of the others later. Never throws. */
  send(digest: Buffer): void {
    const name = nameOf(digest);
    queueMicrotask(() => this.#call(name));
    this.#names.add(name);
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#names.size > 0) {
      const names = [...this.#names].slice(0, MAX_NAMES);
      for (const name of names) this.#names.delete(name);
      await this.#port.run(this.#statement, [this.#channel, names.join(",")]).catch(() => {}); // readers also look by themselves
    }
    this.#isSending = false;
  }

  #call(name: string): void {
    const listeners = this.#listeners.get(name);
    for (const listener of [...(listeners ?? [])]) if (listeners?.has(listener)) listener();
  }
}

function nameOf(digest: Buffer): string {
  return digest.toString("base64url").slice(0, 16);
}
