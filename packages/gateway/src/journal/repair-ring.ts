import type { GatewayClock } from "../clock.js";

/** An entry that an engine has acknowledged. */
export interface AcknowledgedEntry {
  readonly recorded: { readonly seq: number; readonly text: string };
}

/**
 * How long the entries are kept after the newest one was acknowledged, in milliseconds. A failover that lost entries is
 * detected within this time.
 */
const KEPT_MS = 30_000;
/** The longest time in milliseconds by which a standby of an engine is expected to be behind. */
const LAG_MS = 10_000;

interface Kept<Entry> {
  readonly entry: Entry;
  /** The time of its acknowledgement. */
  readonly at: number;
}

/**
 * The newest acknowledged entries of one journal. An engine that replicates asynchronously may lose these entries in a
 * failover. The owner of the session then appends them again. Entries that are much older than the newest entry are not
 * kept: the standby has received them.
 */
export class RepairRing<Entry extends AcknowledgedEntry> {
  readonly #clock: GatewayClock;
  readonly #maxChars: number;
  #entries: Kept<Entry>[] = [];
  #start = 0;
  #chars = 0;

  /** @param maxChars 0 keeps nothing. */
  constructor(clock: GatewayClock, maxChars: number) {
    this.#clock = clock;
    this.#maxChars = maxChars;
  }

  /** Whether the last entry was acknowledged so recently that it may still be lost. If not, forgets all entries. */
  get isRecent(): boolean {
    const newest = this.#entries.at(-1);
    if (newest === undefined) return false;
    if (this.#clock.now() - newest.at <= KEPT_MS) return true;
    this.clear();
    return false;
  }

  add(entries: readonly Entry[]): void {
    if (this.#maxChars === 0 || entries.length === 0) return;
    const at = this.#clock.now();
    for (const entry of entries) {
      this.#entries.push({ entry, at });
      this.#chars += entry.recorded.text.length;
    }
    for (let oldest = this.#oldest; oldest !== undefined && this.#isSurplus(oldest, at); oldest = this.#oldest) {
      this.#chars -= oldest.entry.recorded.text.length;
      this.#start += 1;
    }
    if (this.#start < this.#entries.length / 2) return; // each entry is moved once, on average
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }

  /** Removes and returns the entries after `last`; `undefined` if the ring does not have all of them. */
  takeBehind(last: number): Entry[] | undefined {
    const first = this.#oldest?.entry.recorded.seq;
    if (first === undefined || first > last + 1) return undefined;
    const at = this.#start + last + 1 - first;
    const lost = this.#entries.splice(at).map(({ entry }) => entry);
    for (const { recorded } of lost) this.#chars -= recorded.text.length;
    return lost;
  }

  clear(): void {
    this.#entries = [];
    this.#start = 0;
    this.#chars = 0;
  }

  get #oldest(): Kept<Entry> | undefined {
    return this.#entries[this.#start];
  }

  #isSurplus({ at }: Kept<Entry>, now: number): boolean {
    return this.#chars > this.#maxChars || now - at > LAG_MS;
  }
}
