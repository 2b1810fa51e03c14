import type { GatewayClock } from "../clock.js";
import type { Lease, Membership } from "../engine/engine.js";
import type { Feed } from "../journal/feed.js";
import type { JournalEntry } from "../journal/journal-entry.js";
import { JournalWriter, type WriterEnd } from "../journal/journal-writer.js";
import { cutOf } from "../journal/retention.js";
import type { GatewayLimits, GatewayTimes } from "../limits.js";
import { nextState, type SessionState, titleOf } from "./session-state.js";

/** What a {@link SessionJournal} works with. */
export interface SessionJournalOptions {
  readonly membership: Membership;
  readonly lease: Lease;
  readonly feed: Feed;
  readonly state: SessionState;
  readonly clock: GatewayClock;
  readonly limits: GatewayLimits;
  readonly times: GatewayTimes;
  readonly maxEntries: number | undefined;
  /** Called once, when the journal can't be written any more. */
  readonly onEnd: (end: WriterEnd) => void;
}

/** The journal of a session at its owner: each entry changes the session's state, and is stored together with it. */
export class SessionJournal {
  readonly #options: SessionJournalOptions;
  readonly #writer: JournalWriter;
  #state: SessionState;
  #isTrimming = false;

  constructor(options: SessionJournalOptions) {
    const { membership, lease, feed, state, clock, limits, times, onEnd } = options;
    this.#options = options;
    this.#state = state;
    this.#writer = new JournalWriter({
      membership,
      lease,
      clock,
      last: feed.last.seq,
      limits: { ...limits, retryMs: times.retryMs, giveUpMs: times.engineGraceMs },
      onDurable: (entries) => feed.push(entries),
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
    const next = nextState(this.#state, entry);
    const title = titleOf(entry);
    const isChanged = next !== this.#state;
    this.#state = next;
    if (!isChanged && title === undefined) return this.#writer.append(entry);
    return this.#writer.append(entry, {
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

  /** Ends the journal here: what is not durable is dropped. */
  close(): void {
    this.#writer.close();
  }

  /** Removes the oldest turns of a journal that is too long. Appends go on meanwhile. */
  async trim(): Promise<void> {
    const { maxEntries, feed, membership, lease } = this.#options;
    if (maxEntries === undefined || this.#isTrimming) return;
    this.#isTrimming = true;
    try {
      await this.#writer.durable();
      const { first } = this.#state;
      const cut = await cutOf(feed, { first, last: feed.last, maxEntries });
      if (cut === undefined) return;
      this.append({ type: "trimmed", first: cut });
      await this.#writer.durable();
      await membership.trim(lease, cut);
    } finally {
      this.#isTrimming = false;
    }
  }
}
