import type { Engine } from "../engine/engine.js";
import type { PageLimits, Position } from "../engine/journal-page.js";
import { deliveryBytesOf, type ReadRoom } from "../read-room.js";
import type { Feed } from "./feed.js";
import { type RecordedEntry, storedEntry } from "./recorded-entry.js";

/**
 * The journal of one session, for an observer that reads it without ACP: `serveGateway` serves it as a stream of the
 * Durable Streams protocol. Close the object after use.
 */
export interface SessionJournal {
  /** The last entry. */
  readonly last: Position;
  /**
   * Reads one page of entries after a position, or from the oldest kept entry. `expired` and `ahead`: the journal does
   * not have these entries. The page counts against `maxQueuedBytes` until the next read, or until the journal is
   * closed. If the principal's readers have not released enough pages, the read waits.
   */
  read(after: Position | undefined): Promise<SessionJournalPage>;
  /** Calls `listener` after entries were appended. The returned function removes the listener. */
  onAppend(listener: () => void): () => void;
  close(): void;
}

/** The result of {@link SessionJournal.read}: entries, or the reason why they can't be read. */
export type SessionJournalPage =
  | { readonly is: "page"; readonly entries: readonly RecordedEntry[] }
  | { readonly is: "expired" | "ahead" | "missing" };

/**
 * Creates the journal for an observer from a feed (the durable entries of the session). @param onClose closes the feed.
 * Called once.
 */
export function journalOf(
  feed: Feed,
  engine: Engine,
  { maxPageEntries: maxEntries, maxPageChars: maxChars, unread }: JournalLimits,
  onClose: () => void,
): SessionJournal {
  const limits: PageLimits = { maxEntries, maxChars };
  let isClosed = false;
  let release = (): void => {};
  const readPage = async (after: Position | undefined): Promise<SessionJournalPage> => {
    if (after !== undefined) {
      const page = await feed.read(after);
      return page.is === "page" ? { is: "page", entries: page.entries.slice(0, maxEntries) } : page;
    }
    const page = await engine.read(feed.key, undefined, limits);
    return page.is === "page" ? { is: "page", entries: page.entries.map(storedEntry) } : { is: page.is };
  };
  return {
    get last() {
      return feed.last;
    },
    read: async (after) => {
      release();
      const read = await unread.read(() => readPage(after), deliveryBytesOf);
      release = read.release;
      if (isClosed) release();
      return read.result;
    },
    onAppend: (listener) => feed.onPush(listener),
    close: () => {
      if (isClosed) return;
      isClosed = true;
      release();
      onClose();
    },
  };
}

interface JournalLimits {
  readonly maxPageEntries: number;
  readonly maxPageChars: number;
  readonly unread: ReadRoom;
}
