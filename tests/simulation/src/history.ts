import { wordOf } from "./words.js";

/** The parts of a journal entry that the checks read. */
export interface HistoryEntry {
  readonly seq: number;
  readonly epoch: number;
  readonly text: string;
  readonly type: string;
  readonly key?: string;
  readonly id?: string;
  /** In a `trimmed` entry: the number of the oldest kept entry. */
  readonly first?: number;
  /** In an update, its text; otherwise empty. */
  readonly words: string;
}

/** An append that the engine accepted. */
export interface AcceptedAppend {
  readonly replica: string;
  readonly session: string;
  readonly epoch: number;
  /** Whether a failover has lost the append. */
  readonly isLost?: boolean;
}

/** All entries that were ever in the journals, including removed entries. */
export class History {
  /** The appends, in the order in which the engine accepted them. */
  readonly accepted: AcceptedAppend[] = [];
  readonly #entries = new Map<string, HistoryEntry[]>();
  readonly #trims = new Map<string, number[]>();
  /** For the key of each prompt, the time at which the end of its turn was recorded. */
  readonly endedAt = new Map<string, number>();

  append(append: AcceptedAppend, first: number, texts: readonly string[], now: number): void {
    if (texts.length === 0) return;
    this.accepted.push(append);
    const entries = this.#entries.get(append.session) ?? [];
    this.#entries.set(append.session, entries);
    for (const [i, text] of texts.entries()) {
      const entry = entryOf(first + i, append.epoch, text);
      entries.push(entry);
      if (entry.type === "turn_ended" && entry.key !== undefined) this.endedAt.set(entry.key, now);
    }
  }

  /** Records that the engine removes entries. */
  trim(session: string, now: number): void {
    this.#trims.set(session, [...this.trims(session), now]);
  }

  /** The times of the trims of a session. */
  trims(session: string): readonly number[] {
    return this.#trims.get(session) ?? [];
  }

  /** The ids of all sessions that had entries. */
  get sessions(): readonly string[] {
    return [...this.#entries.keys()];
  }

  entries(session: string): readonly HistoryEntry[] {
    return this.#entries.get(session) ?? [];
  }
}

/** Parses the parts of a journal entry that the checks read. */
export function entryOf(seq: number, epoch: number, text: string): HistoryEntry {
  const { type, key, id, first, params, update } = JSON.parse(text) as Omit<HistoryEntry, "words"> & {
    readonly params?: { readonly update?: unknown };
    readonly update?: unknown;
  };
  return {
    ...{ seq, epoch, text, type },
    ...(key !== undefined && { key }),
    ...(id !== undefined && { id }),
    ...(type === "trimmed" && first !== undefined && { first }),
    words: wordOf(type === "setting_changed" ? update : params?.update),
  };
}
