import type { AgentPool } from "../agent/agent-pool.js";
import type { GatewayClock } from "../clock.js";
import type { Engine, Membership } from "../engine/engine.js";
import { EngineError } from "../engine/engine-error.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import type { AllGatewayLimits, AllGatewayTimes } from "../limits.js";
import type { GatewayPolicy } from "../policy.js";
import { keyName } from "../principal.js";
import type { PrincipalMemory } from "../principal-memory.js";
import { OwnedSession, type OwnedSessionOptions } from "../session/owned-session.js";
import type { SessionState } from "../session/session-state.js";
import type { GatewayVersion } from "../version.js";
import type { Feeds } from "./feeds.js";
import type { Heartbeat } from "./heartbeat.js";
import { UnwrittenPrompts } from "./unwritten-prompts.js";

/** Options of {@link Owners}. */
export interface OwnersOptions {
  readonly membership: Membership;
  readonly heartbeat: Pick<Heartbeat, "sparesEnded">;
  readonly feeds: Feeds;
  readonly engine: Engine;
  /** The sessions that this replica owns. {@link Owners} updates the map. */
  readonly owned: Map<string, OwnedSession>;
  readonly agents: AgentPool;
  readonly clock: GatewayClock;
  readonly policy: GatewayPolicy;
  readonly v2?: GatewayVersion | undefined;
  readonly limits: AllGatewayLimits;
  readonly times: AllGatewayTimes;
  readonly emit: GatewayEventListener;
  readonly memory: PrincipalMemory;
  readonly callMcpAt: OwnedSessionOptions["callMcpAt"];
}

/**
 * The owner of a session: this replica (`here`) or another replica (`there`). `missing`: the session does not exist.
 */
export type Owner =
  | { readonly is: "here"; readonly session: OwnedSession }
  | { readonly is: "there"; readonly replica: string }
  | { readonly is: "missing" };

/**
 * The last known owner of a session on another replica. It is removed when that replica replies that it does not own
 * the session.
 */
interface Hint {
  readonly replica: string;
  /**
   * Whether the engine has named the owner in the present interval. With a fresh hint, a command needs no request to
   * the engine.
   */
  isFresh: boolean;
  /** The time at which the hint was stored, or used by {@link Owners.lastKnown}. */
  usedAt: number;
}

/** Finds the owner of each session, and makes this replica the owner of a session that has no owner. */
export class Owners {
  readonly #options: OwnersOptions;
  readonly #acquiring = new Map<string, Promise<Owner>>();
  readonly #hints = new Map<string, Hint>();
  /**
   * The sessions that this replica did not acquire after an outage, because their holders (the replicas that hold their
   * leases) may renew their memberships. The value is the time at which this replica found that the holder's membership
   * has ended.
   */
  readonly #spared = new Map<string, number>();
  readonly #unwritten: UnwrittenPrompts;
  #isLeaving = false;

  constructor(options: OwnersOptions) {
    this.#options = options;
    this.#unwritten = new UnwrittenPrompts(options.clock, options.times.engineGraceMs);
  }

  /** Returns the owner, if this replica knows it without a request to the engine. */
  known(key: SessionKey): Exclude<Owner, { is: "missing" }> | undefined {
    const name = keyName(key);
    const session = this.#options.owned.get(name);
    if (session !== undefined) return { is: "here", session };
    const hint = this.#hints.get(name);
    return hint?.isFresh === true ? { is: "there", replica: hint.replica } : undefined;
  }

  /**
   * Returns the owner that this replica knew last. For messages that must not acquire the session, and may get lost.
   */
  lastKnown(key: SessionKey): Exclude<Owner, { is: "missing" }> | undefined {
    const hint = this.#hints.get(keyName(key));
    if (hint !== undefined) hint.usedAt = this.#options.clock.now();
    return this.known(key) ?? (hint && { is: "there", replica: hint.replica });
  }

  /** Stores the owner that the record of a session names. The session may have another owner by now, or sleep. */
  note(key: SessionKey, replica: string): void {
    const { clock, membership } = this.#options;
    if (replica === membership.id || this.known(key) !== undefined) return;
    this.#hints.set(keyName(key), { replica, isFresh: false, usedAt: clock.now() });
  }

  /** Finds the owner of a session. If the session has no owner, this replica acquires it. */
  async find(key: SessionKey): Promise<Owner> {
    const known = this.known(key);
    if (known !== undefined) return known;
    const name = keyName(key);
    let acquiring = this.#acquiring.get(name);
    if (acquiring === undefined) {
      acquiring = this.#acquire(key, name).finally(() => this.#acquiring.delete(name));
      this.#acquiring.set(name, acquiring);
    }
    return acquiring;
  }

  /**
   * Removes the hint for a session. The next {@link find} then sends a request to the engine, unless this replica owns
   * the session.
   */
  forget(key: SessionKey): void {
    this.#hints.delete(keyName(key));
  }

  /**
   * Ensures that the next {@link find} for each session sends a request to the engine. Removes the hints that are not
   * used any more, the entries of `#spared` that are older than two times `leaseMs`, and the unwritten prompts whose
   * time is over. The replica calls this method at intervals of `watchMs`.
   */
  age(): void {
    const { clock, times } = this.#options;
    for (const [name, hint] of this.#hints) {
      hint.isFresh = false;
      if (clock.now() - hint.usedAt > 3 * times.watchMs) this.#hints.delete(name);
    }
    for (const [name, since] of this.#spared) if (clock.now() - since > 2 * times.leaseMs) this.#spared.delete(name);
    this.#unwritten.age();
  }

  /** From now on this replica acquires no session. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Whether `leaseMs` has passed since this replica found that the membership of a session's holder has ended. */
  #hasSpared(name: string): boolean {
    const { clock, times } = this.#options;
    const since = this.#spared.get(name);
    return since !== undefined && clock.now() - since >= times.leaseMs;
  }

  /**
   * This replica soon closes the connections of its clients. The clients then connect to another replica, which
   * acquires their sessions.
   */
  #assertStays(): void {
    if (this.#isLeaving)
      throw new EngineError("unavailable", "This replica is being shut down and acquires no more sessions");
  }

  async #acquire(key: SessionKey, name: string): Promise<Owner> {
    this.#assertStays();
    const { membership, heartbeat, feeds, clock, emit } = this.#options;
    const sparesEnded = heartbeat.sparesEnded && !this.#hasSpared(name);
    const acquired = await membership.acquire(key, { sparesEnded });
    if (acquired.is === "taken" && acquired.hasEnded === true)
      this.#spared.set(name, this.#spared.get(name) ?? clock.now());
    else this.#spared.delete(name);
    if (acquired.is === "missing") return { is: "missing" };
    if (acquired.is === "taken") {
      this.#hints.set(name, { replica: acquired.by, isFresh: true, usedAt: clock.now() });
      return { is: "there", replica: acquired.by };
    }
    const { lease, last, record } = acquired;
    const feed = await feeds.open(key);
    if (feed === undefined) return { is: "missing" };
    try {
      const isAtEnd = (): boolean => feed.last.seq === last.seq && feed.last.epoch === last.epoch;
      await feed.pull();
      // The first call may have joined a read that had begun before the last entries were appended
      if (!isAtEnd()) await feed.pull();
      if (!isAtEnd()) {
        feed.reset(last);
        emit({ type: "journal_lost", session: key });
      }
      // The shutdown has begun meanwhile; the lease ends with the membership
      if (this.#isLeaving) await membership.release(lease).catch(() => {});
      this.#assertStays();
      const state = JSON.parse(record.state) as SessionState;
      const { owned, engine, agents, clock, policy, v2, limits, times, memory } = this.#options;
      const session = new OwnedSession({
        key,
        lease,
        state,
        feed,
        membership,
        mayLose: engine.mayLose ?? false,
        agents,
        clock,
        policy,
        v2,
        limits,
        times,
        emit,
        memory: memory.enter(key.scope),
        callMcpAt: this.#options.callMcpAt,
        isUnwritten: (key) => this.#unwritten.has(name, key),
        onUnwritten: (keys) => this.#unwritten.add(name, keys),
        onEnd: (end) => {
          owned.delete(name);
          feed.rest();
          feeds.close(feed);
          if (end === "slept") emit({ type: "session_slept", session: key });
          if (end === "fenced") emit({ type: "session_fenced", session: key });
        },
      });
      owned.set(name, session);
      emit({ type: "session_opened", session: key });
      if (state.turn !== null) emit({ type: "session_taken_over", session: key, interruptedTurn: true });
      return { is: "here", session };
    } catch (error) {
      feeds.close(feed);
      throw error;
    }
  }
}
