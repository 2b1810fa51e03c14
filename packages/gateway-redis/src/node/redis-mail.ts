import type { RedisPort } from "./redis-port.js";

/** Messages that are fetched at once. */
const PAGE = 100;

/** Messages of other replicas: each is removed after its delivery, so that one may arrive twice, but none is lost. */
export class RedisMail {
  readonly #port: RedisPort;
  readonly #stream: string;
  readonly #onMessage: (message: string) => void;
  readonly #stop: () => void;
  #isFetching = false;
  #isMore = false;
  #isClosed = false;

  constructor(
    port: RedisPort,
    { stream, bell }: { readonly stream: string; readonly bell: string },
    onMessage: (message: string) => void,
  ) {
    this.#port = port;
    this.#stream = stream;
    this.#onMessage = onMessage;
    this.#stop = port.subscribe(bell, () => this.fetch());
  }

  /** Delivers what has arrived. Never throws; what fails is fetched by the next call. */
  fetch(): void {
    this.#isMore = true;
    if (!this.#isFetching) void this.#fetchAll();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
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
    const reply = await this.#port.command("XRANGE", this.#stream, "-", "+", "COUNT", `${PAGE}`);
    const messages = reply as readonly (readonly [string, readonly [string, string]])[];
    if (this.#isClosed || messages.length === 0) return;
    for (const [, [, message]] of messages) this.#onMessage(message);
    await this.#port.command("XDEL", this.#stream, ...messages.map(([id]) => id));
    if (messages.length === PAGE) this.#isMore = true;
  }
}
