import { AcknowledgedEntries, type EntryPosition } from "./acknowledged-entries.js";
import type { AcceptedAppend, HistoryEntry } from "./history.js";
import type { ModelServer, StoredSession } from "./model-server.js";
import { Random } from "./random.js";
import type { World } from "./world.js";

/**
 * The longest time between the execution of a call and its reply, in milliseconds. A reply that was sent before a
 * failover may still arrive after it.
 */
const MAX_REPLY_MS = 30;

/** The time of a lease in milliseconds. */
export const LEASE_MS = 2_000;

/** An event of a replica. It may be the reason why the replica could not append lost entries again. */
type Incident = "killed" | "drained" | "paused" | "renewal lost";

/** The entries that a session lost in a failover. */
export interface Loss {
  readonly session: string;
  /** The process that appended the entries. */
  readonly owner: string | undefined;
  readonly entries: readonly HistoryEntry[];
  /** Whether the standby has the session. */
  readonly hasSession: boolean;
  /** Whether the standby has the lease of the owner. Without it, the owner can't append. */
  readonly hasLease: boolean;
  /** Whether the session had been deleted, and the standby has not received the deletion. */
  readonly isDeleted?: boolean;
  /** The time of the last change that the standby has. */
  readonly copiedAt: number;
  /** The time of the last change that the old primary accepted. */
  readonly lostAt: number;
  /** The time at which the new primary accepts calls. */
  readonly upAt: number;
  /** The time at which all entries were in the journal again. */
  repairedAt?: number;
  /** The first acquisition of the session by another replica after the failover. */
  replaced?: { readonly at: number; readonly isLate: boolean };
}

export interface FailoversParts {
  readonly world: World;
  /**
   * The seed of separate random numbers for failovers. So the other faults of a simulation are the same with and
   * without failovers.
   */
  readonly seed: number;
  readonly server: ModelServer;
  readonly accepted: AcceptedAppend[];
  readonly problem: (message: string) => void;
  readonly onOutage: (at: number, until: number) => void;
}

/**
 * Simulates failovers of an engine's server to an asynchronous standby. The standby is a copy of the primary at one
 * moment. The primary continues for a while (the lag of the standby) and fails. After an outage, the copy becomes the
 * primary, and all changes that were acknowledged during the lag are lost. Records the entries that each failover lost,
 * and whether they were appended again.
 */
export class Failovers {
  readonly acknowledged = new AcknowledgedEntries();
  readonly losses: Loss[] = [];
  readonly #parts: FailoversParts;
  readonly #random: Random;
  readonly #incidents: { readonly process: string; readonly what: Incident; readonly at: number; until: number }[] = [];
  readonly #outages: Pick<Loss, "copiedAt" | "lostAt">[] = [];
  readonly #releases: { readonly session: string; readonly process: string; readonly at: number }[] = [];
  readonly #copied: ((lagMs: number) => void)[] = [];
  #count = 0;
  #upAt = 0;

  constructor(parts: FailoversParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed ^ 0x0fa1_10e5);
  }

  /** The number of failovers so far. */
  get count(): number {
    return this.#count;
  }

  /** The time from which the server accepts calls again after the last failover. */
  get upAt(): number {
    return this.#upAt;
  }

  /** Calls a listener when the standby has its copy. The changes of the next `lagMs` milliseconds will be lost. */
  onCopied(listener: (lagMs: number) => void): void {
    this.#copied.push(listener);
  }

  /** Lets the server fail once or twice. */
  async run(): Promise<void> {
    const { world } = this.#parts;
    await world.sleep(this.#random.int(300, 9_000));
    await this.#failOver();
    if (this.#random.chance(0.6)) return;
    await world.sleep(Math.max(0, this.#upAt - world.now()) + this.#random.int(100, 5_000));
    await this.#failOver();
  }

  async #failOver(): Promise<void> {
    const { world, server, accepted } = this.#parts;
    const restore = server.copy();
    const copied = new Map(server.sessions.map((session) => [session.sessionId, session]));
    const [copiedAt, copiedAppends] = [world.now(), accepted.length];
    const lagMs = this.#random.int(0, 1_000);
    for (const listener of this.#copied) listener(lagMs);
    await world.sleep(lagMs);
    const lostAt = world.now();
    this.#upAt = lostAt + (this.#random.chance(0.6) ? this.#random.int(20, 1_500) : this.#random.int(2_000, 6_000));
    const times = { copiedAt, lostAt, upAt: this.#upAt };
    const appends = accepted.slice(copiedAppends);
    for (const [i, append] of appends.entries()) accepted[copiedAppends + i] = { ...append, isLost: true };
    this.#outages.push(times);
    this.#parts.onOutage(copiedAt, this.#upAt);
    const left = new Set(server.sessions.map(({ sessionId }) => sessionId));
    for (const session of server.sessions) this.#lose(session, copied.get(session.sessionId), appends, times);
    for (const session of copied.values())
      if (!left.has(session.sessionId)) this.#loseDeletion(session, appends, times);
    restore();
    this.#count += 1;
    world.note(`failover to the state of ${copiedAt}, until ${this.#upAt}`);
  }

  #lose(
    session: StoredSession,
    copied: StoredSession | undefined,
    appends: readonly AcceptedAppend[],
    times: Pick<Loss, "copiedAt" | "lostAt" | "upAt">,
  ): void {
    const { sessionId, last, epoch, holder } = session;
    const entries = this.acknowledged.journal(sessionId, last).slice(copied?.last.seq ?? 0);
    if (entries.length === 0 && copied !== undefined) return;
    this.losses.push({
      ...times,
      session: sessionId,
      entries,
      owner: appends.findLast((append) => append.session === sessionId)?.replica,
      hasSession: copied !== undefined,
      hasLease: copied !== undefined && copied.epoch === epoch && copied.holder === holder,
    });
  }

  /**
   * Records that a deleted session exists again. Entries that were appended after the copy stay lost, because the
   * session's owner had ended.
   */
  #loseDeletion(
    { sessionId: session, last }: StoredSession,
    appends: readonly AcceptedAppend[],
    times: Pick<Loss, "copiedAt" | "lostAt" | "upAt">,
  ): void {
    const end = this.acknowledged.all(session).at(-1);
    const entries = end === undefined ? [] : this.acknowledged.journal(session, end).slice(last.seq);
    if (entries.length === 0) return;
    const owner = appends.findLast((append) => append.session === session)?.replica;
    this.losses.push({ ...times, session, entries, owner, hasSession: true, hasLease: true, isDeleted: true });
  }

  /** Whether a failover may have lost a change that was requested at one time and acknowledged at another. */
  mayHaveLost(at: number, acknowledgedAt: number): boolean {
    return this.#outages.some(({ copiedAt, lostAt }) => acknowledgedAt >= copiedAt && at <= lostAt + MAX_REPLY_MS);
  }

  /** Records an incident of a replica. @param until the end of a pause; by default it has no end. */
  incident(process: string, what: Incident, until = Number.POSITIVE_INFINITY): void {
    this.#incidents.push({ process, what, at: this.#parts.world.now(), until });
  }

  /** Records that a replica is about to release a session. */
  releasing(process: string, session: string): void {
    this.#releases.push({ process, session, at: this.#parts.world.now() });
  }

  /**
   * Records that a replica has acquired a session.
   *
   * @param isLate whether the call was executed after the replica's timeout.
   */
  acquired(process: string, session: string, isLate: boolean): void {
    for (const loss of this.unrepaired(session))
      if (loss.owner !== process) loss.replaced ??= { at: this.#parts.world.now(), isLate };
  }

  /** Records an accepted append after the entry at `before`. */
  appended(append: AcceptedAppend, before: EntryPosition, texts: readonly string[]): void {
    const { accepted, problem, world } = this.#parts;
    const { session, epoch } = append;
    accepted.push(append);
    const found = this.acknowledged.append(session, epoch, before, texts);
    if (found !== undefined) problem(found);
    const open = this.unrepaired(session);
    if (open.length === 0) return;
    const journal = this.acknowledged.journal(session, { seq: before.seq + texts.length, epoch });
    for (const loss of open) {
      const end = loss.entries.at(-1);
      if (end !== undefined && journal[end.seq - 1]?.epoch === end.epoch) loss.repairedAt = world.now();
    }
  }

  /** The losses of a session that were not repaired. */
  unrepaired(session: string): readonly Loss[] {
    return this.losses.filter((loss) => loss.session === session && loss.repairedAt === undefined);
  }

  /** Returns `repaired`, or the reason why the lost entries were not appended again. */
  outcome(loss: Loss): string {
    return loss.repairedAt === undefined ? (this.excuse(loss) ?? "not repaired") : "repaired";
  }

  /** Returns the reason why the owner could not append the lost entries again; `undefined` if there is none. */
  excuse({
    session,
    owner = "",
    isDeleted,
    hasSession,
    hasLease,
    copiedAt,
    lostAt,
    replaced,
  }: Loss): string | undefined {
    if (isDeleted) return "the session had been deleted";
    if (!hasSession) return "the session itself was lost";
    if (!hasLease) return "the lease was lost";
    const incidents = this.#incidents.filter(({ process }) => process === owner);
    const ended = incidents.find(({ what }) => what === "killed" || what === "drained");
    if (ended !== undefined) return `the owner was ${ended.what}`;
    const isReleased = this.#releases.some(
      (one) => one.process === owner && one.session === session && one.at >= copiedAt && one.at < lostAt + MAX_REPLY_MS,
    );
    if (isReleased) return "the session was released";
    if (replaced === undefined) return undefined;
    if (replaced.isLate) return "another replica acquired the session by an earlier call";
    const isSlow = incidents.some(({ at, until }) => at <= replaced.at && until >= copiedAt);
    return isSlow ? "the owner could not renew its lease" : undefined;
  }
}
