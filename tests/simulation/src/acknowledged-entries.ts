import { entryOf, type HistoryEntry } from "./history.js";

/** The position of an entry in a journal: its number, and the epoch of its lease. */
export interface EntryPosition {
  readonly seq: number;
  readonly epoch: number;
}

interface Acknowledged {
  readonly entry: HistoryEntry;
  readonly before: EntryPosition;
}

/**
 * All entries that an engine has accepted, including entries that a failover lost later. After a failover, another
 * owner may continue a journal before the lost entries. The journals of a session then form a tree, and an entry is
 * identified by its number and its epoch together.
 */
export class AcknowledgedEntries {
  readonly #sessions = new Map<string, Map<string, Acknowledged>>();

  /** The ids of all sessions that had entries. */
  get sessions(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  /**
   * Records an append after the entry at `before`. Returns a problem if other entries already had the same positions.
   */
  append(session: string, epoch: number, before: EntryPosition, texts: readonly string[]): string | undefined {
    const entries = this.#sessions.get(session) ?? new Map<string, Acknowledged>();
    this.#sessions.set(session, entries);
    let problem: string | undefined;
    let previous = before;
    for (const text of texts) {
      const at = { seq: previous.seq + 1, epoch };
      const known = entries.get(nameOf(at));
      const isKnown = known?.entry.text === text && nameOf(known.before) === nameOf(previous);
      if (known === undefined) entries.set(nameOf(at), { entry: entryOf(at.seq, epoch, text), before: previous });
      else if (!isKnown) problem = `journal: ${session} had two entries at ${at.seq} in epoch ${epoch}`;
      previous = at;
    }
    return problem;
  }

  /** Returns the entry of a session at this position; `undefined` if the engine never accepted such an entry. */
  at(session: string, position: EntryPosition): HistoryEntry | undefined {
    return this.#sessions.get(session)?.get(nameOf(position))?.entry;
  }

  /** Returns the entries of the journal that ended with the entry at this position. */
  journal(session: string, end: EntryPosition): readonly HistoryEntry[] {
    const entries: HistoryEntry[] = [];
    for (let at = end; at.seq > 0; ) {
      const found = this.#sessions.get(session)?.get(nameOf(at));
      if (found === undefined) return [];
      entries.push(found.entry);
      at = found.before;
    }
    return entries.reverse();
  }

  /** Returns all entries of a session, in the order in which the engine accepted them first. */
  all(session: string): readonly HistoryEntry[] {
    return Array.from(this.#sessions.get(session)?.values() ?? [], ({ entry }) => entry);
  }
}

function nameOf({ seq, epoch }: EntryPosition): string {
  return `${seq}-${epoch}`;
}
