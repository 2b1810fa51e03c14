import { MessageDraft } from "./message-draft.js";
import type { MessageEntry, PlanTranscriptEntry, ToolCallEntry, TranscriptEntry } from "./transcript-entry.js";
import type { Draft } from "./writable.js";

/** The entries of a transcript while they change: what is handed out by {@link EntryList.freeze} never changes again. */
export class EntryList {
  #entries: TranscriptEntry[];
  /** Somebody else has this array. */
  #shared: boolean;
  /** Messages that grew since the last `freeze`, by index. */
  #drafts: Map<number, MessageDraft> | undefined;
  /** Tool calls and plans that nobody else has, by index: made or copied since the last `freeze`, they are changed in place. */
  #edited: Set<number> | undefined;
  readonly #byId = new Map<TranscriptEntry["type"], Map<string, number>>();
  readonly #lastOf = new Map<TranscriptEntry["type"], number>();

  constructor(entries: readonly TranscriptEntry[]) {
    this.#entries = entries as TranscriptEntry[];
    this.#shared = true;
    for (const [index, entry] of entries.entries()) this.#learn(entry, index);
  }

  get length(): number {
    return this.#entries.length;
  }

  get changed(): boolean {
    return !this.#shared || this.#drafts !== undefined;
  }

  /** The entry as it was when it was last frozen or set: without what a draft of it has gained since. */
  at(index: number): TranscriptEntry | undefined {
    return this.#entries[index];
  }

  /** Where the entry with this id is. Ids of different kinds don't meet; those of messages differ by who said it. */
  find(type: TranscriptEntry["type"], id: string): number | undefined {
    return this.#byId.get(type)?.get(id);
  }

  /** Where the last entry of a kind is, -1 when there is none. */
  lastOf(type: TranscriptEntry["type"]): number {
    return this.#lastOf.get(type) ?? -1;
  }

  push(entry: TranscriptEntry): number {
    this.#own();
    const index = this.#entries.push(entry) - 1;
    if (entry.type === "tool_call" || entry.type === "plan") this.#mine(index);
    this.#learn(entry, index);
    return index;
  }

  set(index: number, entry: TranscriptEntry): void {
    this.#own();
    this.#drafts?.delete(index);
    this.#entries[index] = entry;
  }

  /** The tool call or plan at this index, to be changed in place until the next `freeze`. */
  edit<Entry extends ToolCallEntry | PlanTranscriptEntry>(index: number): Draft<Entry> {
    if (this.#edited?.has(index)) return this.#entries[index] as Entry;
    this.#own();
    const copy = { ...(this.#entries[index] as Entry) };
    this.#entries[index] = copy;
    this.#mine(index);
    return copy;
  }

  /** The message at this index, to be continued. */
  draft(index: number): MessageDraft {
    this.#drafts ??= new Map();
    let draft = this.#drafts.get(index);
    if (draft === undefined) {
      draft = new MessageDraft(this.#entries[index] as MessageEntry);
      this.#drafts.set(index, draft);
    }
    return draft;
  }

  /** Everything as it is now. Entries that did not change are the same objects as before. */
  freeze(): readonly TranscriptEntry[] {
    for (const [index, draft] of this.#drafts ?? []) {
      const entry = draft.entry();
      if (entry === this.#entries[index]) continue;
      this.#own();
      this.#entries[index] = entry;
    }
    this.#drafts = undefined;
    this.#edited = undefined;
    this.#shared = true;
    return this.#entries;
  }

  #mine(index: number): void {
    this.#edited ??= new Set();
    this.#edited.add(index);
  }

  #own(): void {
    if (!this.#shared) return;
    this.#entries = [...this.#entries];
    this.#shared = false;
  }

  #learn(entry: TranscriptEntry, index: number): void {
    const id = idOf(entry);
    if (id !== undefined) {
      let indexes = this.#byId.get(entry.type);
      if (indexes === undefined) {
        indexes = new Map();
        this.#byId.set(entry.type, indexes);
      }
      indexes.set(id, index);
    }
    this.#lastOf.set(entry.type, index);
  }
}

function idOf(entry: TranscriptEntry): string | undefined {
  if (entry.type === "tool_call") return entry.toolCallId;
  if (entry.type === "compaction") return entry.compactionId;
  return "messageId" in entry ? entry.messageId : undefined;
}
