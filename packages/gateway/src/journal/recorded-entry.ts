import { EngineError } from "../engine/engine-error.js";
import type { Position, StoredJournalEntry } from "../engine/journal-page.js";
import type { JournalEntry } from "./journal-entry.js";

/** A journal entry that is stored durably, with its position. */
export interface RecordedEntry extends Position {
  /**
   * The entry. This member is a getter: it parses the text at the first use, and a copy (`{ ...recorded }`) does not
   * have it.
   *
   * @throws {EngineError} `corrupt` if the engine returned a text that no gateway has written.
   */
  readonly entry: JournalEntry;
  /** The entry's JSON text, without line ends. */
  readonly text: string;
}

/** Reads a stored entry. */
export function storedEntry({ seq, epoch, text }: StoredJournalEntry): RecordedEntry {
  const hasLineEnd = text.includes("\n") || text.includes("\r"); // a gateway writes none
  return new TextEntry(seq, epoch, hasLineEnd ? JSON.stringify(parsed(seq, text)) : text, undefined);
}

/**
 * Creates a recorded entry for an entry that this gateway appends. `text` is its JSON. Keeps only the text of updates:
 * most entries are updates, which are sent to clients as texts, and their objects would cost the garbage collector more
 * time than the texts.
 */
export function writtenEntry({ seq, epoch }: Position, entry: JournalEntry, text: string): RecordedEntry {
  return new TextEntry(seq, epoch, text, entry.type === "update" ? undefined : entry);
}

/** An entry whose text is parsed when something reads the entry. */
class TextEntry implements RecordedEntry {
  readonly seq: number;
  readonly epoch: number;
  readonly text: string;
  #entry: JournalEntry | undefined;

  constructor(seq: number, epoch: number, text: string, entry: JournalEntry | undefined) {
    this.seq = seq;
    this.epoch = epoch;
    this.text = text;
    this.#entry = entry;
  }

  get entry(): JournalEntry {
    this.#entry ??= parsed(this.seq, this.text);
    return this.#entry;
  }
}

function parsed(seq: number, text: string): JournalEntry {
  try {
    const entry = JSON.parse(text) as JournalEntry;
    if (typeof entry?.type === "string") return entry;
  } catch (cause) {
    throw new EngineError("corrupt", `Entry ${seq} of a journal is not JSON`, { cause });
  }
  throw new EngineError("corrupt", `Entry ${seq} of a journal has no type`);
}
