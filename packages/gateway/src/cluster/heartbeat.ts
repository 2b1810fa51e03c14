import { type GatewayClock, sleep } from "../clock.js";
import type { Membership } from "../engine/engine.js";

/** Options of a {@link Heartbeat}. */
export interface HeartbeatOptions {
  readonly membership: Pick<Membership, "renew">;
  readonly clock: GatewayClock;
  readonly leaseMs: number;
  /** The pause before a renewal that failed is repeated. */
  readonly retryMs: number;
  /** Called after a renewal if the membership had ended: other replicas may own the sessions of this replica. */
  readonly onEnded: () => void;
  /** Called when a renewal fails. While its repetitions fail, called once in each third of `leaseMs`. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Renews the membership of a replica three times in each `leaseMs`. The renewals also show whether the engine is available.
 *
 * An outage ends the memberships of all replicas, including those that still run their sessions. After it, {@link sparesEnded} gives
 * these replicas the time to renew their memberships before others acquire their sessions. An owner that keeps its session continues
 * its turn, and appends the entries that the engine has lost in a failover.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #renewedAt: number;
  #hasFailed = false;
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** The end of the time in which ended holders are spared after an outage. */
  #sparesUntil = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  /** Begins to renew a membership that has just started. */
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
   * Whether a membership that has ended may be the consequence of an outage. This is the case while a renewal of this replica fails or is missing,
   * and for one `leaseMs` after the next renewal. An outage that ends the membership of a holder lasts for at least a third of `leaseMs`, because
   * the holder repeats a renewal that fails; so it also covers a renewal of this replica.
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
