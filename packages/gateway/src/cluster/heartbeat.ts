import { type GatewayClock, sleep } from "../clock.js";
import type { Membership } from "../engine/engine.js";

/** Options of a {@link Heartbeat}. */
export interface HeartbeatOptions {
  readonly membership: Pick<Membership, "renew">;
  readonly clock: GatewayClock;
  readonly leaseMs: number;
  /** Called after a renewal when the membership had ended: other replicas may own the sessions of this replica. */
  readonly onEnded: () => void;
  /** Called when a renewal fails. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Renews the membership of a replica three times in each `leaseMs`, and knows from it whether the engine is or was unavailable.
 *
 * An outage ends the memberships of all replicas, including those that still run their sessions. After it, {@link sparesEnded} gives
 * these replicas the time to renew their memberships before others acquire their sessions. An owner that keeps its session continues
 * its turn, and appends the entries that the engine has lost in a failover.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #renewedAt: number;
  /** The end of the time in which ended holders are spared after a late renewal. */
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
   * Whether a membership that has ended may be the consequence of an outage. It may if a renewal of this replica is missing, because
   * another replica may have renewed a third of `leaseMs` earlier, and for one `leaseMs` after the renewal that follows. On a busy machine, every
   * renewal may be late. So that a session is taken over there, too, no holder is spared in the `leaseMs` that follows.
   */
  get sparesEnded(): boolean {
    if (this.#options.clock.now() < this.#sparesUntil) return true;
    return this.#isMissingRenewal && !this.#hasJustSpared;
  }

  stop(): void {
    this.#isStopped = true;
  }

  get #sinceRenewal(): number {
    return this.#options.clock.now() - this.#renewedAt;
  }

  get #isMissingRenewal(): boolean {
    return this.#sinceRenewal > (2 / 3) * this.#options.leaseMs;
  }

  get #hasJustSpared(): boolean {
    const { clock, leaseMs } = this.#options;
    return clock.now() < this.#sparesUntil + leaseMs;
  }

  async #beat(): Promise<void> {
    const { membership, clock, leaseMs, onEnded, onFailure } = this.#options;
    for (;;) {
      await sleep(clock, leaseMs / 3);
      if (this.#isStopped) return;
      try {
        const wasMember = await membership.renew();
        const isLate = !wasMember || this.#isMissingRenewal;
        if (isLate && !this.#hasJustSpared) this.#sparesUntil = clock.now() + leaseMs;
        this.#renewedAt = clock.now();
        if (!wasMember) onEnded();
      } catch (error) {
        onFailure(error);
      }
    }
  }
}
