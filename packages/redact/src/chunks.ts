/** A piece of a longer text, such as a message or the output of a terminal, in an update of a session. */
export interface Chunk {
  /** The key of the whole text, which is the same for all its chunks. */
  readonly key: string;
  readonly text: string;
  /** Returns a copy of the message with another text in place of the chunk's text. */
  withText(text: string): unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the chunk of text in a message, or `undefined` if the message contains none. */
export function chunkOf(message: unknown): Chunk | undefined {
  const params = membersOf(membersOf(message)?.params);
  const update = membersOf(params?.update);
  const piece = update && pieceOf(update);
  if (params === undefined || piece === undefined) return undefined;
  return {
    key: JSON.stringify([params.sessionId, update?.sessionUpdate, update?.terminalId].map(short)),
    text: piece.text,
    withText: (text) => ({
      ...(message as Members),
      params: { ...params, update: { ...update, ...piece.members(text) } },
    }),
  };
}

/** The text in an update, and the members of the update with another text. */
interface Piece {
  readonly text: string;
  members(text: string): Members;
}

function pieceOf({ sessionUpdate, content, data, output }: Members): Piece | undefined {
  const block = membersOf(content);
  if (typeof block?.text === "string")
    return { text: block.text, members: (text) => ({ content: { ...block, text } }) };
  // In version 2 of the protocol, the output of a terminal is bytes in base64.
  if (sessionUpdate === "terminal_output_chunk") {
    const text = charactersOf(data);
    return text === undefined ? undefined : { text, members: (shown) => ({ data: btoa(shown) }) };
  }
  const snapshot = sessionUpdate === "terminal_update" ? membersOf(output) : undefined;
  const text = charactersOf(snapshot?.data);
  return text === undefined
    ? undefined
    : { text, members: (shown) => ({ output: { ...snapshot, data: btoa(shown) } }) };
}

/** Returns the bytes of a text in base64 as characters from 0 to 255, because a chunk may end inside a character. */
function charactersOf(base64: unknown): string | undefined {
  if (typeof base64 !== "string") return undefined;
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

/** The state of a text that arrives in chunks: a secret may begin in one chunk and end in the next. */
export interface ChunkState {
  /** The end of the text so far. */
  readonly tail: string;
  /** If the text so far ends inside a private key: how many more characters may belong to it; otherwise 0. */
  readonly keyLeft: number;
}

const start: ChunkState = { tail: "", keyLeft: 0 };

/** The states of texts in chunks, by their keys. Above {@link MAX_STATES}, the oldest is removed. */
export class ChunkStates {
  readonly #states = new Map<string, ChunkState>();

  get(key: string): ChunkState {
    return this.#states.get(key) ?? start;
  }

  set(key: string, state: ChunkState): void {
    this.#states.delete(key);
    if (state.tail === "") return;
    this.#states.set(key, state);
    if (this.#states.size <= MAX_STATES) return;
    for (const oldest of this.#states.keys()) {
      this.#states.delete(oldest);
      return;
    }
  }
}

const MAX_STATES = 100;

function membersOf(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function short(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "";
}
