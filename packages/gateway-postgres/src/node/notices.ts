import type { PostgresPort } from "./postgres-port.js";
import type { PostgresStatement } from "./postgres-statements.js";

/**
 * The maximum number of sessions and replicas that one notice names. PostgreSQL accepts notices of at most 8,000 bytes.
 */
const MAX_NAMES = 400;

/**
 * Notifies listeners, in this process and in others, that a session has changed or that a message for a replica has
 * arrived. A notice for other processes is a statement of its own and names many sessions and replicas. It is not part
 * of an append: the commit of a transaction with a notice locks the whole server.
 */
export class Notices {
  readonly #port: PostgresPort;
  readonly #statement: PostgresStatement;
  readonly #channel: string;
  readonly #listeners = new Map<string, Set<() => void>>();
  #names = new Set<string>();
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();

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

  /**
   * Calls `onNotice` after each notice about the session or replica with this digest. The returned function removes the
   * listener.
   */
  add(digest: Buffer, onNotice: () => void): () => void {
    const name = nameOf(digest);
    // A new function for each call, because a set holds the same function only once
    const listener = (): void => onNotice();
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => {
      if (listeners.delete(listener) && listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /** Notifies the listeners of this process first, and the listeners of other processes later. Never throws. */
  send(digest: Buffer): void {
    const name = nameOf(digest);
    queueMicrotask(() => this.#call(name));
    this.#names.add(name);
    if (!this.#isSending) this.#sent = this.#send();
  }

  /** Resolves when the notices of all earlier changes were sent or have failed. */
  flush(): Promise<void> {
    return this.#sent;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#names.size > 0) {
      const names = [...this.#names].slice(0, MAX_NAMES);
      for (const name of names) this.#names.delete(name);
      // A lost notice only causes a delay, because readers also read at intervals
      await this.#port.notify(this.#statement, [this.#channel, names.join(",")]).catch(() => {});
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
