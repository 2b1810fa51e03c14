/** A piece of a longer text, such as a message, in an update of a session. */
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
  const content = membersOf(update?.content);
  if (params === undefined || update === undefined || typeof content?.text !== "string") return undefined;
  return {
    key: JSON.stringify([short(params.sessionId), short(update.sessionUpdate)]),
    text: content.text,
    withText: (text) => ({
      ...(message as Members),
      params: { ...params, update: { ...update, content: { ...content, text } } },
    }),
  };
}

/**
 * Remembers the ends of texts that arrive in chunks, because a secret may begin in one chunk and end in the next. If
 * there are more than {@link MAX_TAILS} ends, the oldest is removed.
 */
export class Tails {
  readonly #tails = new Map<string, string>();

  get(key: string): string {
    return this.#tails.get(key) ?? "";
  }

  set(key: string, tail: string): void {
    this.#tails.delete(key);
    if (tail === "") return;
    this.#tails.set(key, tail);
    if (this.#tails.size <= MAX_TAILS) return;
    for (const oldest of this.#tails.keys()) {
      this.#tails.delete(oldest);
      return;
    }
  }
}

const MAX_TAILS = 100;

function membersOf(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function short(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "";
}
