import type { Position } from "../engine/journal-page.js";
import type { ProtocolVersion } from "../version.js";
import type { JournalEntry } from "./journal-entry.js";
import type { RecordedEntry } from "./recorded-entry.js";
import { commandsOf } from "./retention.js";

/** A notification that the gateway sends during a replay. */
export interface ReplayedUpdate {
  readonly sessionId: string;
  readonly update: object;
  /** The version of the update. */
  readonly version: ProtocolVersion;
  /** The number of the first entry of the update. */
  readonly seq: number;
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
  readonly #messagesOf: MessagesOf;
  readonly #withStates: boolean;
  #text: TextChunk | undefined;
  #version: ProtocolVersion = 1;
  #seq = 0;
  #parts: string[] = [];
  #chars = 0;
  /** The client has received the lists of slash commands in the entries up to this number. */
  #commandsTo: number;
  /** The position of the last entry in the joined text; `undefined` if further updates of that entry follow. */
  #at: Position | undefined;

  /**
   * @param after the number of the last entry that the client has received; 0 if there is none.
   * @param messagesOf the user messages of a prompt, and their version. The default is version 1.
   * @param withStates whether the updates contain the states that an agent of version 2 has reported.
   */
  constructor(sessionId: string, after = 0, messagesOf: MessagesOf = userMessages, withStates = false) {
    this.#sessionId = sessionId;
    this.#withStates = withStates;
    this.#messagesOf = messagesOf;
    this.#commandsTo = after;
  }

  /** Adds an entry and returns the updates that are complete. */
  *take(recorded: RecordedEntry): Generator<ReplayedUpdate> {
    const { seq, epoch, entry } = recorded;
    if (entry.type === "turn_started") yield* this.end();
    const { updates, version } = this.#updatesOf(recorded);
    this.#commandsTo = Math.max(this.#commandsTo, commandsOf(recorded)?.seq ?? 0);
    for (const [index, update] of updates.entries()) {
      const at = index === updates.length - 1 ? { seq, epoch } : undefined;
      const chunk = textChunk(update);
      if (chunk !== undefined && this.#version === version && this.#joins(chunk)) {
        this.#parts.push(chunk.content.text);
        this.#chars += chunk.content.text.length;
      } else {
        yield* this.end();
        if (chunk === undefined) {
          yield { sessionId: this.#sessionId, update, version, seq, at };
          continue;
        }
        this.#version = version;
        this.#seq = seq;
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
    yield { sessionId: this.#sessionId, update, version: this.#version, seq: this.#seq, at: this.#at };
  }

  #updatesOf(recorded: RecordedEntry): Updates {
    const { entry, seq } = recorded;
    switch (entry.type) {
      case "trimmed":
        return { updates: this.#newerCommands(recorded), version: entry.commands?.version ?? 1 };
      case "turn_started":
        return this.#messagesOf(entry, seq);
      case "setting_changed":
        return { updates: [entry.update], version: entry.version ?? 1 };
      case "update": {
        const { method, params, version = 1 } = entry;
        const { update } = params;
        const isUpdate = method === "session/update" && typeof update === "object" && update !== null;
        const isLeftOut =
          !this.#withStates &&
          version === 2 &&
          (update as { sessionUpdate?: unknown } | null)?.sessionUpdate === "state_update";
        return { updates: isUpdate && !isLeftOut ? [update] : [], version };
      }
      default:
        return { updates: [], version: 1 };
    }
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

interface Updates {
  readonly updates: readonly object[];
  readonly version: ProtocolVersion;
}

/** Returns the user messages of a prompt. @param seq determines the message id, which is the same for all clients. */
export type MessagesOf = (entry: Extract<JournalEntry, { type: "turn_started" }>, seq: number) => Updates;

const userMessages: MessagesOf = ({ prompt }, seq) => ({
  updates: prompt.map((content) => ({ sessionUpdate: "user_message_chunk", messageId: userMessageId(seq), content })),
  version: 1,
});

/** The id of the user message of a prompt to an agent of version 1. @param seq the number of its entry. */
export function userMessageId(seq: number): string {
  return `user_${seq}`;
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
