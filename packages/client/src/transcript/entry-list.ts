import { MessageDraft } from "./message-draft.js";
import type { MessageEntry, PlanTranscriptEntry, ToolCallEntry, TranscriptEntry } from "./transcript-entry.js";
import type { Draft } from "./writable.js";

/**
 * The maximum number of members of an entry's `_meta`; further members are ignored. The number is limited because each
 * snapshot copies the members of a `_meta` that has changed.
 */
export const MAX_META_MEMBERS = 1_000;

/**
 * The entries of a transcript, in a form that can be changed. The list that {@link EntryList.freeze} returns never
 * changes again.
 */
export class EntryList {
  #entries: TranscriptEntry[];
  /** Whether the array is part of a snapshot, so that it must be copied before a change. */
  #shared: boolean;
  /** The messages to which chunks were appended since the last `freeze`, by index. */
  #drafts: Map<number, MessageDraft> | undefined;
  /**
   * The indexes of tool calls and plans that were created or copied since the last `freeze`. No snapshot contains them,
   * so they are changed in place.
   */
  #edited: Set<number> | undefined;
  /**
   * The members of the entries' `_meta` that have changed since the last `freeze`, by index. They are in a `Map`,
   * because a copy for each update would take quadratic time.
   */
  #metas: Map<number, Map<string, unknown>> | undefined;
  readonly #byId = new Map<TranscriptEntry["type"], Map<string, number>>();
  readonly #lastOf = new Map<TranscriptEntry["type"], number>();

  constructor(entries: readonly TranscriptEntry[]) {
    this.#entries = entries as TranscriptEntry[];
    this.#shared = true;
    for (const [index, entry] of entries.entries()) this.#index(entry, index);
  }

  get length(): number {
    return this.#entries.length;
  }

  get changed(): boolean {
    return !this.#shared || this.#drafts !== undefined || this.#metas !== undefined;
  }

  /**
   * Returns the entry at this index. It does not contain the chunks and the members of `_meta` that were added since
   * the last `freeze`.
   */
  at(index: number): TranscriptEntry | undefined {
    return this.#entries[index];
  }

  /** Returns the message at this index with all of its content. */
  message(index: number): MessageEntry {
    return this.#drafts?.get(index)?.entry() ?? (this.#entries[index] as MessageEntry);
  }

  /** Returns the index of the entry with this type and id. */
  find(type: TranscriptEntry["type"], id: string): number | undefined {
    return this.#byId.get(type)?.get(id);
  }

  /** Returns the index of the last entry of a type, or -1 if there is none. */
  lastOf(type: TranscriptEntry["type"]): number {
    return this.#lastOf.get(type) ?? -1;
  }

  push(entry: TranscriptEntry): number {
    this.#own();
    const index = this.#entries.push(entry) - 1;
    if (entry.type === "tool_call" || entry.type === "plan") this.#markEdited(index);
    this.#index(entry, index);
    return index;
  }

  set(index: number, entry: TranscriptEntry): void {
    this.#own();
    this.#drafts?.delete(index);
    this.#entries[index] = entry;
    this.#index(entry, index);
  }

  /** Returns the tool call or plan at this index, which the caller may change in place until the next `freeze`. */
  edit<Entry extends ToolCallEntry | PlanTranscriptEntry>(index: number): Draft<Entry> {
    if (this.#edited?.has(index)) return this.#entries[index] as Entry;
    this.#own();
    const copy = { ...(this.#entries[index] as Entry) };
    this.#entries[index] = copy;
    this.#markEdited(index);
    return copy;
  }

  /** Returns the draft of the message at this index, to which the caller can append chunks. */
  draft(index: number): MessageDraft {
    this.#drafts ??= new Map();
    let draft = this.#drafts.get(index);
    if (draft === undefined) {
      draft = new MessageDraft(this.#entries[index] as MessageEntry);
      this.#drafts.set(index, draft);
    }
    return draft;
  }

  /**
   * Adds members to the `_meta` of the message or tool call at this index. They replace earlier members of the same
   * name; others are kept, because more than one program writes into `_meta`. Returns all members.
   */
  addMeta(index: number, meta: Readonly<Record<string, unknown>>): Map<string, unknown> {
    this.#metas ??= new Map();
    let members = this.#metas.get(index);
    if (members === undefined) {
      members = new Map(Object.entries((this.#entries[index] as MessageEntry | ToolCallEntry).meta ?? {}));
      this.#metas.set(index, members);
    }
    for (const [name, value] of Object.entries(meta)) {
      if (members.size < MAX_META_MEMBERS || members.has(name)) members.set(name, value);
    }
    return members;
  }

  /**
   * Returns all entries as an immutable list. Entries that did not change are the same objects as in the previous list.
   */
  freeze(): readonly TranscriptEntry[] {
    for (const [index, draft] of this.#drafts ?? []) {
      const entry = draft.entry();
      if (entry === this.#entries[index]) continue;
      this.#own();
      this.#entries[index] = entry;
    }
    for (const [index, members] of this.#metas ?? []) {
      this.#own();
      const entry = this.#entries[index] as MessageEntry | ToolCallEntry;
      this.#entries[index] = { ...entry, meta: Object.fromEntries(members) };
    }
    this.#drafts = undefined;
    this.#metas = undefined;
    this.#edited = undefined;
    this.#shared = true;
    return this.#entries;
  }

  #markEdited(index: number): void {
    this.#edited ??= new Set();
    this.#edited.add(index);
  }

  #own(): void {
    if (!this.#shared) return;
    this.#entries = [...this.#entries];
    this.#shared = false;
  }

  #index(entry: TranscriptEntry, index: number): void {
    const id = idOf(entry);
    if (id !== undefined) {
      let indexes = this.#byId.get(entry.type);
      if (indexes === undefined) {
        indexes = new Map();
        this.#byId.set(entry.type, indexes);
      }
      indexes.set(id, index);
    }
    this.#lastOf.set(entry.type, Math.max(index, this.lastOf(entry.type)));
  }
}

function idOf(entry: TranscriptEntry): string | undefined {
  if (entry.type === "tool_call") return entry.toolCallId;
  if (entry.type === "compaction") return entry.compactionId;
  if (entry.type === "plan") return entry.planId;
  return "messageId" in entry ? entry.messageId : undefined;
}
