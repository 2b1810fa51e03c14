import { ConnectionError, type ConnectionErrorCode } from "./connection-error.js";
import { after } from "./timer.js";
import type { Transport } from "./transport.js";

/** The state of a connection. While `ending`, new requests are refused, but running handlers can still respond. */
export type ConnectionState = "open" | "ending" | "closed";

/** Tracks the end of a connection. A connection ends once, for the first reason that occurs. */
export class Ending {
  /** Resolves with the reason when the connection has ended. The promise never rejects. */
  readonly closed: Promise<ConnectionError>;
  #state: ConnectionState = "open";
  #reason: ConnectionError | undefined;
  #resolveClosed: (reason: ConnectionError) => void = () => {};
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

  /** The reason why the connection ended; `undefined` while it is open. */
  get reason(): ConnectionError | undefined {
    return this.#reason;
  }

  /** Records the reason of the end and returns it. If there is one already, returns `undefined`. */
  begin(code: ConnectionErrorCode, message: string, cause: unknown): ConnectionError | undefined {
    if (this.#reason !== undefined) return undefined;
    this.#reason = new ConnectionError(code, message, cause === undefined ? {} : { cause });
    this.#state = "ending";
    return this.#reason;
  }

  /** Resolves when no handler is running, when `limitMs` have passed, or when `finish` is called. */
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

  /** Resolves the promises of {@link idle} if no handler is running. Called when a handler has finished. */
  checkIdle(): void {
    if (this.#waiting.size > 0 && this.#isIdle()) this.#stopWaiting();
  }

  /** Sets the state to `closed`, after which no message is delivered. Returns `false` if it already was `closed`. */
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

/** Closes a transport, within `limitMs`. Resolves with the error of the transport, if any; never rejects. */
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
