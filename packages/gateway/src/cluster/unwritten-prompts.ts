import type { GatewayClock } from "../clock.js";

/**
 * The prompts that {@link OwnedSessionOptions.isUnwritten} names, by session. Each stays for `graceMs` after its last
 * failure: meanwhile its client or its replica repeats it.
 */
export class UnwrittenPrompts {
  readonly #clock: Pick<GatewayClock, "now">;
  readonly #graceMs: number;
  /** For each session, the times until which its prompts stay. */
  readonly #until = new Map<string, Map<string, number>>();

  constructor(clock: Pick<GatewayClock, "now">, graceMs: number) {
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  /** The number of sessions with such prompts. */
  get size(): number {
    return this.#until.size;
  }

  add(session: string, keys: readonly string[]): void {
    const until = this.#until.get(session) ?? new Map<string, number>();
    this.#until.set(session, until);
    for (const key of keys) until.set(key, this.#clock.now() + this.#graceMs);
  }

  has(session: string, key: string): boolean {
    return (this.#until.get(session)?.get(key) ?? 0) > this.#clock.now();
  }

  /** Removes the prompts whose time is over. */
  age(): void {
    for (const [session, until] of this.#until) {
      for (const key of until.keys()) if (!this.has(session, key)) until.delete(key);
      if (until.size === 0) this.#until.delete(session);
    }
  }
}
