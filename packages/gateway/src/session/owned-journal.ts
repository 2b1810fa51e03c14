import { type GatewayClock, wallClock } from "../clock.js";
import type { Lease, Membership } from "../engine/engine.js";
import type { Feed } from "../journal/feed.js";
import type { JournalEntry } from "../journal/journal-entry.js";
import { JournalWriter, type WriterEnd } from "../journal/journal-writer.js";
import { countChars, cutOf, isOver, type Retention } from "../journal/retention.js";
import type { GatewayLimits, GatewayTimes } from "../limits.js";
import { nextState, type SessionState, titleOf } from "./session-state.js";

/** What a {@link OwnedJournal} works with. */
export interface OwnedJournalOptions {
  readonly membership: Membership;
  readonly lease: Lease;
  readonly feed: Feed;
  readonly state: SessionState;
  readonly clock: GatewayClock;
  readonly limits: GatewayLimits;
  readonly times: GatewayTimes;
  readonly retention: Retention;
  /** Whether the engine may lose entries that it has acknowledged. */
  readonly mayLose: boolean;
  /** Called when so many lost entries are appended again. */
  readonly onRepair: (count: number) => void;
  /** Called once, when the journal can't be written any more. */
  readonly onEnd: (end: WriterEnd) => void;
}

/** The journal of a session at its owner: each entry changes the session's state, and is stored together with it. */
export class OwnedJournal {
  readonly #options: OwnedJournalOptions;
  readonly #writer: JournalWriter;
  #state: SessionState;
  /** Characters of all that is kept; `null` if that has to be counted first. */
  #chars: number | null;
  /** Characters that were appended here. */
  #appended = 0;
  #trimming: Promise<void> | undefined;
  /** The engine has removed what is before this entry, as far as it is known here. */
  #removedBefore = 1;

  constructor(options: OwnedJournalOptions) {
    const { membership, lease, feed, state, clock, limits, times, mayLose, onRepair, onEnd } = options;
    this.#options = options;
    this.#state = state;
    this.#chars = state.turn === null ? state.kept.chars : null; // a turn that was interrupted was not counted to its end
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

  /** The state behind the entry that was appended last. */
  get state(): SessionState {
    return this.#state;
  }

  /** The number of the entry that was appended last. */
  get last(): number {
    return this.#writer.last;
  }

  /** See {@link JournalWriter.full}. */
  get full(): Promise<void> | undefined {
    return this.#writer.full;
  }

  append(entry: JournalEntry): number {
    const text = JSON.stringify(entry);
    const before = this.#state;
    const folded = nextState(before, entry);
    const isChanged = folded !== before;
    if (entry.type === "trimmed") this.#chars = entry.chars;
    this.#appended += text.length;
    if (this.#chars !== null) this.#chars += text.length;
    const title = titleOf(entry);
    if (!isChanged && title === undefined) return this.#writer.append(entry, text);
    const next = isChanged ? { ...folded, kept: { ...folded.kept, chars: this.#chars } } : before;
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

  /** See {@link JournalWriter.check}. */
  check(): void {
    this.#writer.check();
  }

  /** See {@link JournalWriter.tend}. */
  tend(): void {
    this.#writer.tend();
  }

  /** Ends the journal here: what is not durable is dropped. */
  close(): void {
    this.#writer.close();
  }

  /** Removes the oldest turns of a journal that holds more than it may. Appends go on meanwhile. */
  trim(): Promise<void> {
    this.#trimming ??= this.#trim().finally(() => {
      this.#trimming = undefined;
    });
    return this.#trimming;
  }

  async #trim(): Promise<void> {
    if (this.#isOver()) await this.#cut();
    // The engine may have failed when the journal was cut last, here or at the owner before.
    const { first } = this.#state.kept;
    if (first <= this.#removedBefore) return;
    const { membership, lease } = this.#options;
    await this.#writer.durable();
    await membership.trim(lease, first);
    this.#removedBefore = first;
  }

  /** Appends what is to be removed. From then on it is read no more. */
  async #cut(): Promise<void> {
    const { retention, feed, clock } = this.#options;
    await this.#writer.durable();
    const { last } = feed;
    if (this.#chars === null) {
      if (this.last !== last.seq) return; // it is counted behind another turn
      const appended = this.#appended;
      const counted = await countChars(feed, this.#state.kept.first, last);
      this.#chars = counted + this.#appended - appended;
    }
    const chars = this.#chars;
    const { kept, turn } = this.#state;
    const now = wallClock(clock);
    const cut = await cutOf({ feed, last, kept: { ...kept, chars }, isRunning: turn !== null }, retention, now);
    const isAll = cut !== undefined && cut.first > last.seq;
    if (cut === undefined || (isAll && this.last !== last.seq)) return; // in the meantime, the session goes on
    // What was appended since is kept as well.
    const turns = cut.turns + this.#state.kept.turns - kept.turns;
    this.append({ type: "trimmed", ...cut, turns, chars: cut.chars + this.#chars - chars });
  }

  #isOver(): boolean {
    const { retention, clock } = this.#options;
    const isUnknown = retention.maxChars !== undefined && this.#chars === null;
    return isUnknown || isOver({ ...this.#state.kept, chars: this.#chars }, retention, wallClock(clock));
  }
}
