/** A message of the peer counts as missing after this many times the duration of a comparable one: slowness breaks no rule. */
export const PATIENCE = 8;

/** The kind of requests that need no work of the peer: their responses are comparable with each other, and with nothing else. */
export const NO_WORK = "no work";

/** Measures the response times of the peer under test over a whole run, because peers differ in speed. */
export class Pace {
  readonly #fastest = new Map<string, number>();

  /** Records how many milliseconds the response to a request of this kind took. */
  answered(kind: string, ms: number): void {
    this.#fastest.set(kind, Math.min(ms, this.#fastest.get(kind) ?? ms));
  }

  /**
   * Returns whether a response that did not come in this time is missing. Without a comparable response, only one that needs no work is: of
   * any other, nothing shows whether the peer is slow or never responds.
   */
  isMissing(kind: string, waitedMs: number): boolean {
    const comparable = this.#fastest.get(kind) ?? (kind === NO_WORK ? 0 : undefined);
    return comparable !== undefined && waitedMs >= comparable * PATIENCE;
  }
}
