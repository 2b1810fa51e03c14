import { type GatewayClock, sleep } from "../clock.js";
import type { Membership } from "../engine/engine.js";

/** Options of a {@link Heartbeat}. */
export interface HeartbeatOptions {
  readonly membership: Pick<Membership, "renew">;
  readonly clock: GatewayClock;
  readonly leaseMs: number;
  /** The pause between a failed renewal and the next attempt, in milliseconds. */
  readonly retryMs: number;
  /**
   * Called after a renewal if the membership had ended before it. Other replicas may then own the sessions of this
   * replica.
   */
  readonly onEnded: () => void;
  /** Called when a renewal fails. While further attempts fail, called at most once in each third of `leaseMs`. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Renews the membership of a replica three times in each `leaseMs`. The renewals also show whether the engine is
 * available.
 *
 * An outage of the engine ends the memberships of all replicas, also of replicas that still run their sessions. After
 * the outage, {@link sparesEnded} gives these replicas time to renew their memberships before other replicas acquire
 * their sessions. An owner that keeps its session continues the turn, and appends the entries that the engine has lost
 * in a failover.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #renewedAt: number;
  #hasFailed = false;
  #reportedAt = Number.NEGATIVE_INFINITY;
  /**
   * Until this time, after an outage, this replica does not acquire the session of a replica whose membership has
   * ended.
   */
  #sparesUntil = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  /** Starts to renew a membership. The membership must be new. */
  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#renewedAt = options.clock.now();
    void this.#beat();
  }

  /** Whether the membership was renewed in the last `leaseMs`. */
  get isEngineReachable(): boolean {
    return this.#sinceRenewal <= this.#options.leaseMs;
  }

  /**
   * Whether an outage of the engine may be the reason why another replica's membership has ended. This is the case
   * while a renewal of this replica fails or is late, and for one `leaseMs` after the next renewal. This replica
   * notices every outage that ends a membership: such an outage lasts longer than a third of `leaseMs`, and each
   * replica renews its membership three times in `leaseMs`.
   */
  get sparesEnded(): boolean {
    return this.#isInOutage || this.#options.clock.now() < this.#sparesUntil;
  }

  stop(): void {
    this.#isStopped = true;
  }

  get #sinceRenewal(): number {
    return this.#options.clock.now() - this.#renewedAt;
  }

  get #isInOutage(): boolean {
    return this.#hasFailed || this.#sinceRenewal > (2 / 3) * this.#options.leaseMs;
  }

  async #beat(): Promise<void> {
    const { membership, clock, leaseMs, retryMs, onEnded, onFailure } = this.#options;
    for (;;) {
      await sleep(clock, this.#hasFailed ? Math.min(retryMs, leaseMs / 3) : leaseMs / 3);
      if (this.#isStopped) return;
      try {
        const wasMember = await membership.renew();
        if (!wasMember || this.#isInOutage) this.#sparesUntil = clock.now() + leaseMs;
        this.#renewedAt = clock.now();
        this.#hasFailed = false;
        if (!wasMember) onEnded();
      } catch (error) {
        this.#hasFailed = true;
        if (clock.now() - this.#reportedAt < leaseMs / 3) continue;
        this.#reportedAt = clock.now();
        onFailure(error);
      }
    }
  }
}
