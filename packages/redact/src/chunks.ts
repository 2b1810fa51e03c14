/** A piece of a longer text, in an update of a session. */
export interface Chunk {
  /** The same for all parts of one text. */
  readonly key: string;
  readonly text: string;
  /** Returns the message with another text in its place. */
  withText(text: string): unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** The chunk of text in a message; `undefined` when it holds none. */
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

/** The ends of texts that arrive in chunks, where a secret may have begun. A new one replaces the oldest. */
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
