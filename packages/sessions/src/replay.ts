import type { ContentBlock, SessionUpdate } from "@acp-kit/types";
import { beginsTurn, type LogEntry, type StoredEntry } from "./log-entry.js";

type Kind = SessionUpdate["sessionUpdate"];
type Of<K extends Kind> = Extract<SessionUpdate, { sessionUpdate: K }>;

/** The kinds of updates of which only the last one is replayed. */
const latest: ReadonlySet<string> = new Set<Kind>([
  "plan",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "usage_update",
  "session_info_update",
]);

/**
 * Returns the updates that `session/load` sends for a log, in order: prompts as user messages, chunks of one message
 * joined, each tool call once in its final state, and only the last plan and settings. Notices are not replayed. A tool
 * call that was open when its turn was cancelled or failed, or when the agent crashed, is replayed as failed.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export function replayOf(entries: Iterable<StoredEntry>): SessionUpdate[] {
  const replay = new Replay();
  for (const { seq, entry } of entries) replay.take(entry, seq);
  return replay.end();
}

class Replay {
  readonly #updates: (SessionUpdate | undefined)[] = [];
  readonly #calls = new Map<string, number>();
  readonly #compactions = new Map<string, number>();
  readonly #latest = new Map<string, number>();
  readonly #open = new Set<string>();
  #running = false;

  take(entry: LogEntry, seq: number): void {
    if (entry.type === "prompt") {
      if (beginsTurn(entry)) this.#failOpenCalls(); // the previous turn was interrupted
      this.#running = true;
      for (const content of entry.prompt)
        this.#add({ sessionUpdate: "user_message_chunk", messageId: entry.messageId ?? `user_${seq}`, content });
    } else if (entry.type === "end") {
      this.#running = false;
      if (entry.stopReason === "cancelled" || entry.stopReason === "error") this.#failOpenCalls();
      this.#open.clear();
    } else this.#update(entry.update);
  }

  end(): SessionUpdate[] {
    if (this.#running) this.#failOpenCalls();
    return this.#updates.filter((update) => update !== undefined);
  }

  #update(update: SessionUpdate): void {
    const { sessionUpdate } = update;
    if (sessionUpdate === "notice") return;
    if (sessionUpdate === "tool_call" || sessionUpdate === "tool_call_update") this.#toolCall(update);
    else if (sessionUpdate === "compaction_update") this.#upsert(this.#compactions, update.compactionId, update);
    else if (latest.has(sessionUpdate)) this.#replaceLatest(update);
    else if (!this.#join(update)) this.#add(update);
  }

  #add(update: SessionUpdate): number {
    return this.#updates.push(update) - 1;
  }

  #replaceLatest(update: SessionUpdate): void {
    const before = this.#latest.get(update.sessionUpdate);
    const previous = before === undefined ? undefined : this.#updates[before];
    if (before !== undefined) this.#updates[before] = undefined;
    // Members that a session's info omits stay unchanged.
    const merged = update.sessionUpdate === "session_info_update" ? { ...previous, ...update } : update;
    this.#latest.set(update.sessionUpdate, this.#add(merged));
  }

  #toolCall(update: Of<"tool_call"> | Of<"tool_call_update">): void {
    const { toolCallId } = update;
    const call = { ...update, sessionUpdate: "tool_call", title: update.title ?? "" } as Of<"tool_call">;
    const at = this.#upsert(this.#calls, toolCallId, call);
    const { status } = this.#updates[at] as Of<"tool_call">;
    if (["completed", "failed", "cancelled"].includes(status ?? "")) this.#open.delete(toolCallId);
    else this.#open.add(toolCallId);
  }

  /** Adds an update, or merges its members into the earlier one with this id, in its position. */
  #upsert(places: Map<string, number>, id: string, update: SessionUpdate): number {
    const at = places.get(id);
    if (at === undefined) {
      const added = this.#add(update);
      places.set(id, added);
      return added;
    }
    const changes = Object.entries(update).filter(
      ([name, value]) => value != null && !(name === "title" && value === ""),
    );
    this.#updates[at] = { ...this.#updates[at], ...Object.fromEntries(changes) } as SessionUpdate;
    return at;
  }

  /** If a chunk continues the message of the last update, appends its text there. Returns whether it did. */
  #join(update: SessionUpdate): boolean {
    const last = this.#updates.at(-1);
    if (last === undefined || last.sessionUpdate !== update.sessionUpdate) return false;
    const [before, more] = [last as ChunkLike, update as ChunkLike];
    if (!isPlainText(before.content) || !isPlainText(more.content)) return false;
    if ((before.messageId ?? undefined) !== (more.messageId ?? undefined) || before._meta != null || more._meta != null)
      return false;
    if ((before.compactionId ?? undefined) !== (more.compactionId ?? undefined)) return false;
    const content = { ...before.content, text: before.content.text + more.content.text };
    this.#updates[this.#updates.length - 1] = { ...last, content } as SessionUpdate;
    return true;
  }

  #failOpenCalls(): void {
    for (const id of this.#open) {
      const at = this.#calls.get(id);
      if (at !== undefined) this.#updates[at] = { ...this.#updates[at], status: "failed" } as SessionUpdate;
    }
    this.#open.clear();
  }
}

interface ChunkLike {
  readonly content?: ContentBlock;
  readonly messageId?: string | null;
  readonly compactionId?: string;
  readonly _meta?: unknown;
}

function isPlainText(block: ContentBlock | undefined): block is Extract<ContentBlock, { type: "text" }> {
  return block?.type === "text" && block.annotations == null && block._meta == null;
}
