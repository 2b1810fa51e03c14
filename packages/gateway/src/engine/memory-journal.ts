import { beginning, type JournalPage, type PageLimits, type Position } from "./journal-page.js";
import { entriesOfParts, journalPartsOf, type StoredJournalPart } from "./journal-parts.js";

/**
 * The journal of one session in memory. The numbers of its entries have no gaps. It keeps parts instead of entries,
 * because millions of objects that live for a long time cost the garbage collector much time.
 */
export class MemoryJournal {
  /** The first part may contain trimmed entries. */
  #parts: StoredJournalPart[] = [];
  #trimmed: Position = beginning;

  get last(): Position {
    const part = this.#parts.at(-1);
    return part === undefined ? this.#trimmed : { seq: part.last, epoch: part.epoch };
  }

  append(texts: readonly string[], epoch: number): void {
    for (const { first, last, texts: joined } of journalPartsOf(texts, this.last.seq + 1))
      this.#parts.push({ first, last, epoch, texts: joined });
  }

  read(position: Position | undefined, limits: PageLimits): JournalPage {
    const after = position ?? this.#trimmed;
    const { last } = this;
    if (after.seq < this.#trimmed.seq) return { is: "expired", first: this.#trimmed.seq + 1 };
    if (this.#epochAt(after.seq) !== after.epoch) return { is: "ahead", last };
    return { is: "page", entries: entriesOfParts(this.#partsFrom(after.seq + 1), after.seq, limits), last };
  }

  trim(first: number): void {
    const seq = Math.min(first - 1, this.last.seq);
    const epoch = this.#epochAt(seq);
    if (seq <= this.#trimmed.seq || epoch === undefined) return;
    this.#trimmed = { seq, epoch };
    this.#parts = this.#parts.slice(this.#indexOf(seq + 1));
  }

  /** The epoch of an entry that is not trimmed, or of the last trimmed entry. */
  #epochAt(seq: number): number | undefined {
    return seq === this.#trimmed.seq ? this.#trimmed.epoch : this.#parts[this.#indexOf(seq)]?.epoch;
  }

  *#partsFrom(seq: number): Iterable<StoredJournalPart> {
    for (let index = this.#indexOf(seq); index < this.#parts.length; index++)
      yield this.#parts[index] as StoredJournalPart;
  }

  #indexOf(seq: number): number {
    let low = 0;
    let high = this.#parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#parts[middle] as StoredJournalPart).last < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
