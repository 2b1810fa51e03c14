import { ConnectionError, type ConnectionErrorCode } from "./connection-error.js";
import { after } from "./timer.js";
import type { Transport } from "./transport.js";

/** `ending`: no more requests; handlers may still answer. */
export type ConnectionState = "open" | "ending" | "closed";

/** How a connection ends: for one reason, the first, and once. */
export class Ending {
  /** Resolves with the reason when all is done. Never rejects. */
  readonly closed: Promise<ConnectionError>;
  #state: ConnectionState = "open";
  #reason: ConnectionError | undefined;
  #resolveClosed: (reason: ConnectionError) => void = () => {};
  /** Those who wait for the handlers. */
  readonly #waiting = new Set<() => void>();
  readonly #isIdle: () => boolean;

  constructor(isIdle: () => boolean) {
    this.#isIdle = isIdle;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Why it ends; `undefined` while it is open. */
  get reason(): ConnectionError | undefined {
    return this.#reason;
  }

  /** Returns the reason if it is the first; later ones change nothing. */
  begin(code: ConnectionErrorCode, message: string, cause: unknown): ConnectionError | undefined {
    if (this.#reason !== undefined) return undefined;
    this.#reason = new ConnectionError(code, message, cause === undefined ? {} : { cause });
    this.#state = "ending";
    return this.#reason;
  }

  /** Resolves when no handler is running any more, or after `limitMs`, or when somebody has finished meanwhile. */
  idle(limitMs: number): Promise<void> {
    if (this.#isIdle() || !(limitMs > 0)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        stop();
        this.#waiting.delete(done);
        resolve();
      };
      const stop = after(limitMs, done, { keepAlive: true });
      this.#waiting.add(done);
    });
  }

  /** A handler has finished: it may have been the last. */
  checkIdle(): void {
    if (this.#waiting.size > 0 && this.#isIdle()) this.#stopWaiting();
  }

  /** `false` when somebody else has finished. From here on nothing is delivered. */
  finish(): boolean {
    if (this.#state === "closed") return false;
    this.#state = "closed";
    this.#stopWaiting();
    return true;
  }

  finished(): void {
    if (this.#reason !== undefined) this.#resolveClosed(this.#reason);
  }

  #stopWaiting(): void {
    for (const done of [...this.#waiting]) done();
  }
}

/** Closes a transport, but waits no longer than `limitMs`. Returns what went wrong; never rejects. */
export async function closeTransport(transport: Transport, limitMs: number): Promise<Error | undefined> {
  let stop = (): void => {};
  const late = new Promise<Error>((resolve) => {
    stop = after(limitMs, () => resolve(new Error(`the transport has not closed within ${limitMs} ms`)));
  });
  try {
    return (await Promise.race([transport.close(), late])) ?? undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    stop();
  }
}
