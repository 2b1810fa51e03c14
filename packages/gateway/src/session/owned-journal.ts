import { type GatewayClock, wallClock } from "../clock.js";
import type { Lease, Membership } from "../engine/engine.js";
import type { Position } from "../engine/journal-page.js";
import { entryTextOf } from "../journal/entry-text.js";
import type { Feed } from "../journal/feed.js";
import type { JournalEntry } from "../journal/journal-entry.js";
import { JournalWriter, type WriterEnd } from "../journal/journal-writer.js";
import { countChars, cutOf, isOver, type Retention } from "../journal/retention.js";
import type { AllGatewayLimits, AllGatewayTimes } from "../limits.js";
import { nextState, type SessionState, titleOf } from "./session-state.js";
import { withViewStart } from "./view-starts.js";

/** Options of an {@link OwnedJournal}. */
export interface OwnedJournalOptions {
  readonly membership: Membership;
  readonly lease: Lease;
  readonly feed: Feed;
  readonly state: SessionState;
  readonly clock: GatewayClock;
  readonly limits: AllGatewayLimits;
  readonly times: AllGatewayTimes;
  readonly retention: Retention;
  /** Whether the engine may lose entries that it has acknowledged. */
  readonly mayLose: boolean;
  /** Called with the number of lost entries that are appended again. */
  readonly onRepair: (count: number) => void;
  /** Called once, when the journal can't be written any more. */
  readonly onEnd: (end: WriterEnd) => void;
}

/**
 * The journal of a session on the replica that owns the session. If an entry changes the session's state, the new state
 * is stored in the same step.
 */
export class OwnedJournal {
  readonly #options: OwnedJournalOptions;
  readonly #writer: JournalWriter;
  /** The position of the last entry when this owner acquired the session. */
  readonly #begin: Position;
  #state: SessionState;
  /** Whether the stored state names this replica as the owner. */
  #isNamed: boolean;
  /** The number of characters of all kept entries; `null` if the journal must be read to count them. */
  #chars: number | null;
  /** The number of characters that this owner has appended. */
  #appended = 0;
  #trimming: Promise<void> | undefined;
  /**
   * The number of the oldest entry that the engine may still have. This owner knows that all entries before it were
   * removed.
   */
  #removedBefore = 1;

  constructor(options: OwnedJournalOptions) {
    const { membership, lease, feed, state, clock, limits, times, mayLose, onRepair, onEnd } = options;
    this.#options = options;
    this.#state = { ...state, owner: membership.id };
    this.#isNamed = state.owner === membership.id;
    this.#begin = feed.last;
    this.#chars = state.turn === null ? state.kept.chars : null; // the entries of an interrupted turn are not counted
    this.#writer = new JournalWriter({
      membership,
      lease,
      clock,
      last: feed.last.seq,
      limits: {
        ...limits,
        maxRepairChars: mayLose ? limits.maxRepairChars : 0,
        retryMs: times.retryMs,
        giveUpMs: times.engineGraceMs,
      },
      onDurable: (entries) => feed.push(entries),
      onRepair,
      onEnd,
    });
  }

  /** The state after the last entry. */
  get state(): SessionState {
    return this.#state;
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#writer.last;
  }

  /** The position of the last entry, durable or not. */
  get end(): Position {
    const seq = this.#writer.last;
    return seq === this.#begin.seq ? this.#begin : { seq, epoch: this.#options.lease.epoch };
  }

  /** See {@link JournalWriter.full}. */
  get full(): Promise<void> | undefined {
    return this.#writer.full;
  }

  append(entry: JournalEntry): number {
    const text = entryTextOf(entry);
    const before = this.#state;
    const folded = nextState(before, entry);
    const isChanged = folded !== before || !this.#isNamed; // the first entry also stores the name of this owner
    this.#isNamed = true;
    if (entry.type === "trimmed") this.#chars = entry.chars;
    this.#appended += text.length;
    if (this.#chars !== null) this.#chars += text.length;
    const title = titleOf(before, entry);
    if (!isChanged && title === undefined) return this.#writer.append(entry, text);
    const started = entry.type === "turn_started" && { viewStarts: withViewStart(before, this.end) };
    const next = isChanged ? { ...folded, kept: { ...folded.kept, chars: this.#chars }, ...started } : before;
    this.#state = next;
    return this.#writer.append(entry, text, {
      ...(isChanged && { state: JSON.stringify(next) }),
      ...(title !== undefined && { title }),
    });
  }

  /** See {@link JournalWriter.durable}. */
  durable(): Promise<void> {
    return this.#writer.durable();
  }

  /** See {@link JournalWriter.settled}. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** See {@link JournalWriter.check}. */
  check(): void {
    this.#writer.check();
  }

  /** See {@link JournalWriter.confirm}. */
  confirm(): Promise<void> {
    return this.#writer.confirm();
  }

  /** See {@link JournalWriter.tend}. */
  tend(): void {
    this.#writer.tend();
  }

  /** Ends all writes by this owner. Entries that are not durable are dropped. */
  close(): void {
    this.#writer.close();
  }

  /** Removes the oldest turns if the journal exceeds its retention. Appends continue meanwhile. */
  trim(): Promise<void> {
    this.#trimming ??= this.#trim().finally(() => {
      this.#trimming = undefined;
    });
    return this.#trimming;
  }

  async #trim(): Promise<void> {
    if (this.#isOver()) await this.#cut();
    // Also removes the entries of an earlier cut: the engine may have failed to remove them after the journal had
    // recorded the removal.
    const { first } = this.#state.kept;
    if (first <= this.#removedBefore) return;
    const { membership, lease } = this.#options;
    await this.#writer.durable();
    await membership.trim(lease, first).then(
      () => {
        this.#removedBefore = first;
      },
      () => {}, // the next trim tries again; until then, readers skip the entries before `first`
    );
  }

  /**
   * Appends the entry `trimmed`, which states the first entry to keep. From then on, no replica reads the entries
   * before it.
   */
  async #cut(): Promise<void> {
    const { retention, feed, clock } = this.#options;
    await this.#writer.durable();
    const { last } = feed;
    if (this.#chars === null) {
      // Newer entries are not durable yet: the end of the next turn counts the characters
      if (this.last !== last.seq) return;
      const appended = this.#appended;
      const counted = await countChars(feed, this.#state.kept.first, last);
      this.#chars = counted + this.#appended - appended;
    }
    const chars = this.#chars;
    const { kept, turn } = this.#state;
    const now = wallClock(clock);
    const cut = await cutOf({ feed, last, kept: { ...kept, chars }, isRunning: turn !== null }, retention, now);
    const isAll = cut !== undefined && cut.first > last.seq;
    if (cut === undefined || (isAll && this.last !== last.seq)) return; // the session has continued meanwhile
    // `cut` does not count the entries that were appended while `cutOf` ran. They are kept too, so their turns and
    // characters are added.
    const turns = cut.turns + this.#state.kept.turns - kept.turns;
    this.append({ type: "trimmed", ...cut, turns, chars: cut.chars + this.#chars - chars });
  }

  #isOver(): boolean {
    const { retention, clock } = this.#options;
    const isUnknown = retention.maxChars !== undefined && this.#chars === null;
    return isUnknown || isOver({ ...this.#state.kept, chars: this.#chars }, retention, wallClock(clock));
  }
}
