import type { GatewayClock } from "../clock.js";

/** An entry that an engine has acknowledged. */
export interface AcknowledgedEntry {
  readonly recorded: { readonly seq: number };
  readonly text: string;
}

/** How long an engine may take until a failover that lost entries shows, in milliseconds. */
const KEPT_MS = 30_000;

/**
 * The newest entries of one journal that its engine has acknowledged: an engine that replicates asynchronously may lose them in a failover, and
 * the owner appends them again.
 */
export class RepairRing<Entry extends AcknowledgedEntry> {
  readonly #clock: GatewayClock;
  readonly #maxChars: number;
  #entries: Entry[] = [];
  #start = 0;
  #chars = 0;
  #addedAt = 0;

  /** @param maxChars 0 keeps nothing. */
  constructor(clock: GatewayClock, maxChars: number) {
    this.#clock = clock;
    this.#maxChars = maxChars;
  }

  /** Whether entries were acknowledged so lately that they may still be lost. Forgets older ones. */
  get isRecent(): boolean {
    if (this.#entries.length === 0) return false;
    if (this.#clock.now() - this.#addedAt <= KEPT_MS) return true;
    this.clear();
    return false;
  }

  add(entries: readonly Entry[]): void {
    if (this.#maxChars === 0 || entries.length === 0) return;
    this.#addedAt = this.#clock.now();
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#chars += entry.text.length;
    }
    for (; this.#chars > this.#maxChars && this.#start < this.#entries.length; this.#start++)
      this.#chars -= (this.#entries[this.#start] as Entry).text.length;
    if (this.#start < this.#entries.length / 2) return; // each entry is moved once, on average
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }

  /** The entries behind `last` up to the newest one, which are taken out of the ring; `undefined` if it does not have all of them. */
  takeBehind(last: number): Entry[] | undefined {
    const first = this.#entries[this.#start]?.recorded.seq;
    if (first === undefined || first > last + 1) return undefined;
    const at = this.#start + last + 1 - first;
    const lost = this.#entries.splice(at);
    for (const { text } of lost) this.#chars -= text.length;
    return lost;
  }

  clear(): void {
    this.#entries = [];
    this.#start = 0;
    this.#chars = 0;
  }
}
