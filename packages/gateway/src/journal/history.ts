import type { Position } from "../engine/journal-page.js";
import type { JournalEntry, SessionParams } from "./journal-entry.js";
import type { RecordedEntry } from "./recorded-entry.js";
import { commandsOf } from "./retention.js";

/** A notification that the gateway sends during a replay. */
export interface ReplayedUpdate {
  readonly sessionId: string;
  readonly update: object;
  /** The position of the entry that this update completes; `undefined` if further updates of the entry follow. */
  readonly at: Position | undefined;
}

interface TextChunk {
  readonly sessionUpdate: string;
  readonly messageId?: unknown;
  readonly content: { readonly type: "text"; readonly text: string };
}

/** The maximum number of characters of joined chunks, so that a replay never holds a whole long message in memory. */
const MAX_JOINED_CHARS = 65_536;
const joinable: ReadonlySet<string> = new Set(["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"]);

/**
 * Converts journal entries to the updates that `session/load` replays: prompts become user messages, consecutive chunks
 * of one message are joined, settings become updates. The conversion processes the entries one after the other and
 * keeps only one update in memory.
 */
export class HistoryReplay {
  readonly #sessionId: string;
  #text: TextChunk | undefined;
  #parts: string[] = [];
  #chars = 0;
  /** The client has received the lists of slash commands in the entries up to this number. */
  #commandsTo: number;
  /** The position of the last entry in the joined text; `undefined` if further updates of that entry follow. */
  #at: Position | undefined;

  /** @param after the number of the last entry that the client has received; 0 if there is none. */
  constructor(sessionId: string, after = 0) {
    this.#sessionId = sessionId;
    this.#commandsTo = after;
  }

  /** Adds an entry and returns the updates that are complete. */
  *take(recorded: RecordedEntry): Generator<ReplayedUpdate> {
    const { seq, epoch, entry } = recorded;
    const updates = entry.type === "trimmed" ? this.#newerCommands(recorded) : updatesOf(entry, seq);
    this.#commandsTo = Math.max(this.#commandsTo, commandsOf(recorded)?.seq ?? 0);
    for (const [index, update] of updates.entries()) {
      const at = index === updates.length - 1 ? { seq, epoch } : undefined;
      const chunk = textChunk(update);
      if (chunk !== undefined && this.#joins(chunk)) {
        this.#parts.push(chunk.content.text);
        this.#chars += chunk.content.text.length;
      } else {
        yield* this.end();
        if (chunk === undefined) {
          yield { sessionId: this.#sessionId, update, at };
          continue;
        }
        this.#text = chunk;
        this.#parts = [chunk.content.text];
        this.#chars = chunk.content.text.length;
      }
      this.#at = at;
      // No further chunk can join. The reader counts the memory of this entry only until it takes the next one.
      if (this.#chars >= MAX_JOINED_CHARS) yield* this.end();
    }
  }

  /**
   * Returns the chunk that still waits for further chunks to join, if there is one. Call this method after the last
   * entry.
   */
  *end(): Generator<ReplayedUpdate> {
    if (this.#text === undefined) return;
    const update = { ...this.#text, content: { type: "text", text: this.#parts.join("") } };
    this.#text = undefined;
    yield { sessionId: this.#sessionId, update, at: this.#at };
  }

  /**
   * Returns the update with the slash commands of removed entries, or nothing if the client has received newer ones.
   */
  #newerCommands(trimmed: RecordedEntry): readonly object[] {
    const commands = commandsOf(trimmed);
    return commands !== undefined && commands.seq > this.#commandsTo ? [commands.update as object] : [];
  }

  #joins({ sessionUpdate, messageId, content }: TextChunk): boolean {
    const before = this.#text;
    if (before === undefined || this.#chars + content.text.length > MAX_JOINED_CHARS) return false;
    return before.sessionUpdate === sessionUpdate && (before.messageId ?? null) === (messageId ?? null);
  }
}

/**
 * Converts the prompt of a turn to user messages.
 *
 * @param seq determines the message id, which is the same for all clients.
 */
export function userMessages(prompt: readonly unknown[], seq: number): object[] {
  return prompt.map((content) => ({ sessionUpdate: "user_message_chunk", messageId: `user_${seq}`, content }));
}

function updatesOf(entry: JournalEntry, seq: number): readonly object[] {
  if (entry.type === "turn_started") return userMessages(entry.prompt, seq);
  if (entry.type === "setting_changed") return [entry.update];
  if (entry.type !== "update" || entry.method !== "session/update") return [];
  const update = (entry.params as SessionParams).update;
  return typeof update === "object" && update !== null ? [update] : [];
}

/**
 * Returns the update if it is a text chunk that may be joined with an adjacent chunk, otherwise `undefined`. A chunk
 * with further members, such as `_meta`, is not joined.
 */
function textChunk(update: object): TextChunk | undefined {
  const { sessionUpdate, messageId: _, content, ...rest } = update as Record<string, unknown>;
  if (typeof sessionUpdate !== "string" || !joinable.has(sessionUpdate) || Object.keys(rest).length > 0)
    return undefined;
  if (typeof content !== "object" || content === null) return undefined;
  const { type, text, ...more } = content as Record<string, unknown>;
  return type === "text" && typeof text === "string" && Object.keys(more).length === 0
    ? (update as TextChunk)
    : undefined;
}
