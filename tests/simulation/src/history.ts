/** An entry of a journal, as the checks read it. */
export interface HistoryEntry {
  readonly seq: number;
  readonly epoch: number;
  readonly text: string;
  readonly type: string;
  readonly key?: string;
  readonly id?: string;
  /** Of a `trimmed` entry: the oldest entry that is kept. */
  readonly first?: number;
  /** Of an update: its text. */
  readonly words: string;
}

/** An append that the engine accepted. */
export interface AcceptedAppend {
  readonly replica: string;
  readonly session: string;
  readonly epoch: number;
}

/** Everything that was ever in the journals, also what was trimmed since. */
export class History {
  /** In the order in which the engine accepted them. */
  readonly accepted: AcceptedAppend[] = [];
  readonly #entries = new Map<string, HistoryEntry[]>();
  readonly #trims = new Map<string, number>();

  append(append: AcceptedAppend, first: number, texts: readonly string[]): void {
    if (texts.length === 0) return;
    this.accepted.push(append);
    const entries = this.#entries.get(append.session) ?? [];
    this.#entries.set(append.session, entries);
    for (const [i, text] of texts.entries()) entries.push(entryOf(first + i, append.epoch, text));
  }

  /** The engine removes entries, or has. */
  trim(session: string): void {
    this.#trims.set(session, this.trims(session) + 1);
  }

  /** How often entries of a session were removed. */
  trims(session: string): number {
    return this.#trims.get(session) ?? 0;
  }

  entries(session: string): readonly HistoryEntry[] {
    return this.#entries.get(session) ?? [];
  }
}

/** An entry of a journal with the parts that the checks read. */
export function entryOf(seq: number, epoch: number, text: string): HistoryEntry {
  const { type, key, id, first, params } = JSON.parse(text) as Omit<HistoryEntry, "words"> & {
    readonly params?: { readonly update?: { readonly content?: { readonly text?: string } } };
  };
  return {
    ...{ seq, epoch, text, type },
    ...(key !== undefined && { key }),
    ...(id !== undefined && { id }),
    ...(type === "trimmed" && first !== undefined && { first }),
    words: params?.update?.content?.text ?? "",
  };
}
