/** The stored messages to one replica, for a {@link MailReader}. */
export interface StoredMail {
  /** Reads the oldest messages. */
  read(limit: number): Promise<readonly { readonly id: string; readonly message: string }[]>;
  remove(ids: readonly string[]): Promise<unknown>;
}

/** The maximum number of messages of one read. */
const PAGE = 100;

/**
 * Receives messages of other replicas. Each message is removed after its delivery: a message may arrive twice, but no
 * message is lost.
 */
export class MailReader {
  readonly #mail: StoredMail;
  readonly #onMessage: (message: string) => void;
  #isFetching = false;
  #isMore = false;
  #isClosed = false;

  constructor(mail: StoredMail, onMessage: (message: string) => void) {
    this.#mail = mail;
    this.#onMessage = onMessage;
  }

  /** Fetches and delivers messages. Never throws. After a failure, the next call fetches the same messages. */
  fetch(): void {
    this.#isMore = true;
    if (!this.#isFetching) void this.#fetchAll();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #fetchAll(): Promise<void> {
    this.#isFetching = true;
    try {
      while (this.#isMore && !this.#isClosed) await this.#fetch();
    } catch {
      // The messages stay in the engine: the next call of `fetch` reads them again.
    } finally {
      this.#isFetching = false; // without an await before it, so that no notification is missed
    }
  }

  async #fetch(): Promise<void> {
    this.#isMore = false;
    const stored = await this.#mail.read(PAGE);
    if (this.#isClosed || stored.length === 0) return;
    for (const { message } of stored) this.#deliver(message);
    await this.#mail.remove(stored.map(({ id }) => id));
    if (stored.length === PAGE) this.#isMore = true;
  }

  /**
   * Delivers a message. If the listener throws, the message still counts as delivered; otherwise all messages of this
   * read would be delivered again.
   */
  #deliver(message: string): void {
    try {
      this.#onMessage(message);
    } catch {
      // A listener must not throw: its error is ignored.
    }
  }
}
