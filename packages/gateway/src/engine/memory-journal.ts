import {
  beginning,
  type JournalPage,
  type PageLimits,
  type Position,
  type StoredJournalEntry,
} from "./journal-page.js";

/** The journal of one session in memory. The numbers of its entries have no gaps. */
export class MemoryJournal {
  #entries: StoredJournalEntry[] = [];
  /** The position of the last trimmed entry. */
  #trimmed: Position = beginning;

  get last(): Position {
    const last = this.#entries.at(-1);
    return last === undefined ? this.#trimmed : { seq: last.seq, epoch: last.epoch };
  }

  append(entries: readonly StoredJournalEntry[]): void {
    for (const entry of entries) this.#entries.push(entry);
  }

  read(position: Position | undefined, { maxEntries, maxChars }: PageLimits): JournalPage {
    const after = position ?? this.#trimmed;
    const first = this.#trimmed.seq + 1;
    if (after.seq < this.#trimmed.seq) return { is: "expired", first };
    const known = after.seq === this.#trimmed.seq ? this.#trimmed : this.#entries[after.seq - first];
    if (known?.epoch !== after.epoch) return { is: "ahead", last: this.last };
    const entries: StoredJournalEntry[] = [];
    let chars = 0;
    for (let at = after.seq - first + 1; at < this.#entries.length && entries.length < maxEntries; at++) {
      const entry = this.#entries[at] as StoredJournalEntry;
      chars += entry.text.length;
      if (entries.length > 0 && chars > maxChars) break;
      entries.push(entry);
    }
    return { is: "page", entries, last: this.last };
  }

  trim(first: number): void {
    const count = Math.min(first - this.#trimmed.seq - 1, this.#entries.length);
    if (count <= 0) return;
    const { seq, epoch } = this.#entries[count - 1] as StoredJournalEntry;
    this.#trimmed = { seq, epoch };
    this.#entries = this.#entries.slice(count);
  }
}
