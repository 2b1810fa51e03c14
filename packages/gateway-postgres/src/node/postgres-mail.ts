import type { PostgresPort } from "./postgres-port.js";
import type { PostgresStatements } from "./postgres-statements.js";
import { storedText } from "./postgres-text.js";

/** Messages that are fetched at once. */
const PAGE = 100;

/** Messages of other replicas: each is removed after its delivery, so that one may arrive twice, but none is lost. */
export class PostgresMail {
  readonly #port: PostgresPort;
  readonly #statements: PostgresStatements;
  readonly #replica: string;
  readonly #onMessage: (message: string) => void;
  #isFetching = false;
  #isMore = false;
  #isClosed = false;

  constructor(
    port: PostgresPort,
    statements: PostgresStatements,
    replica: string,
    onMessage: (message: string) => void,
  ) {
    this.#port = port;
    this.#statements = statements;
    this.#replica = replica;
    this.#onMessage = onMessage;
  }

  /** Delivers what has arrived. Never throws; what fails is fetched by the next call. */
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
      // The next call fetches it.
    } finally {
      this.#isFetching = false; // at once: a bell that rings from now on starts over
    }
  }

  async #fetch(): Promise<void> {
    this.#isMore = false;
    const rows = await this.#port.run(this.#statements.mail, [this.#replica, PAGE]);
    if (this.#isClosed || rows.length === 0) return;
    for (const { message } of rows) this.#onMessage(storedText(message as string));
    await this.#port.run(this.#statements.received, [rows.map(({ id }) => id)]);
    if (rows.length === PAGE) this.#isMore = true;
  }
}
