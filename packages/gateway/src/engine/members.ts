import type { Acquired, AcquireOptions, ReplicaOptions } from "./engine.js";
import { EngineError } from "./engine-error.js";

interface Member {
  readonly options: ReplicaOptions;
  until: number;
}

/** The memberships of an engine that only one process can use. */
export class Members {
  readonly #now: () => number;
  readonly #members = new Map<string, Member>();

  /** @param now the engine's clock, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws {EngineError} `exists` if the id is in use. */
  join(options: ReplicaOptions): void {
    if (this.#members.has(options.id))
      throw new EngineError("exists", `A replica with the id ${options.id} already exists`);
    this.#members.set(options.id, { options, until: this.#now() + options.ttlMs });
  }

  /** Extends a membership. Returns `false` if it had ended. */
  renew(options: ReplicaOptions): boolean {
    const wasMember = this.has(options.id);
    this.#members.set(options.id, { options, until: this.#now() + options.ttlMs });
    return wasMember;
  }

  /**
   * Whether a replica is a member. If the clock was set back so far that a membership would last longer than its
   * `ttlMs`, the membership has ended.
   */
  has(id: string): boolean {
    const member = this.#members.get(id);
    if (member === undefined) return false;
    const left = member.until - this.#now();
    return left > 0 && left <= member.options.ttlMs;
  }

  /** Returns the result `taken` if a replica may not acquire a session from its holder, `undefined` if it may. */
  taken(
    holder: string | undefined,
    replica: string,
    { sparesEnded = false }: AcquireOptions = {},
  ): Extract<Acquired, { is: "taken" }> | undefined {
    if (holder === undefined || holder === replica) return undefined;
    if (this.has(holder)) return { is: "taken", by: holder };
    return sparesEnded ? { is: "taken", by: holder, hasEnded: true } : undefined;
  }

  /** Delivers a message asynchronously and in order. Returns `false` if there is no such member. */
  send(id: string, message: string): boolean {
    const member = this.has(id) ? this.#members.get(id) : undefined;
    if (member === undefined) return false;
    void Promise.resolve().then(() => {
      if (this.#members.has(id)) member.options.onMessage(message);
    });
    return true;
  }

  leave(id: string): void {
    this.#members.delete(id);
  }
}
