/** A message counts as missing after this multiple of a comparable duration, because slowness breaks no rule. */
export const PATIENCE = 8;

/** The kind of requests that need no work from the peer, because the peer does not know their method. */
export const NO_WORK = "no work";

/** The kind of the first request to the peer. Its response time contains the start of the process. */
export const START = "start";

/** Returns the kind that a request has after the kit has stopped it. `kind` is its kind before. */
export const stopped = (kind: string): string => (kind.startsWith(STOPPED) ? kind : `${STOPPED}${kind}`);

const STOPPED = "stopped: ";

/**
 * Measures the response times of the peer under test over a whole run. Peers differ in speed, and each peer is slow at
 * different requests, so only the response to a request of the same kind shows how long a response may take.
 */
export class Pace {
  readonly #fastest = new Map<string, number>();
  readonly #stopTimeoutMs: number;

  /** @param stopTimeoutMs how long the peer may need to end a request that the kit has stopped, in milliseconds. */
  constructor({ stopTimeoutMs = 60_000 }: { readonly stopTimeoutMs?: number } = {}) {
    this.#stopTimeoutMs = stopTimeoutMs;
  }

  /** Records how many milliseconds the response to a request of this kind took. */
  recordResponseTime(kind: string, ms: number): void {
    this.#fastest.set(kind, Math.min(ms, this.#fastest.get(kind) ?? ms));
  }

  /** Returns whether a request of this kind got a response. */
  isKnown(kind: string): boolean {
    return this.#fastest.has(kind);
  }

  /**
   * Returns whether a response that did not arrive in this time counts as missing. Returns `false` without a comparable
   * response, because the peer may be slow.
   */
  isMissing(kind: string, waitedMs: number): boolean {
    const own = this.#fastest.get(kind);
    if (own !== undefined) return waitedMs >= own * PATIENCE;
    const similar = this.#similar(kind);
    return similar !== undefined && waitedMs >= similar;
  }

  /**
   * Returns after how many milliseconds a response counts as missing, if no request of its kind has had a response yet.
   * The time follows from another kind. For an unknown method, this is the first request, which includes the start of
   * the peer: a peer refuses an unknown method in less time. For a stopped request, it is the same request without the
   * stop, and the result is at least `stopTimeoutMs`, because the peer may have to clean up. Returns `undefined` if no
   * request of the other kind has had a response either.
   */
  #similar(kind: string): number | undefined {
    const other = kind === NO_WORK ? START : kind.startsWith(STOPPED) ? kind.slice(STOPPED.length) : undefined;
    const ms = this.#fastest.get(other ?? "");
    if (ms === undefined) return undefined;
    return kind === NO_WORK ? ms * PATIENCE : Math.max(ms * PATIENCE, this.#stopTimeoutMs);
  }
}
