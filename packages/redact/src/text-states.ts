/** The state of a text that arrives in parts: a secret may begin in one part and end in the next. */
export interface TextState {
  /** The end of the text so far. */
  readonly tail: string;
  /** If the text so far ends inside a private key: how many more characters may belong to it; otherwise 0. */
  readonly keyLeft: number;
  /** The bytes at the end of the last part that are the beginning of a character, and not in `tail`. */
  readonly rest: string;
  /** Those of `rest` that were shown: none after a hidden secret, which the character may continue. */
  readonly shownRest: string;
}

const start: TextState = { tail: "", keyLeft: 0, rest: "", shownRest: "" };

/** The states of texts that arrive in parts, by their keys. Above {@link MAX_STATES}, the oldest is removed. */
export class TextStates {
  readonly #states = new Map<string, TextState>();

  get(key: string): TextState {
    return this.#states.get(key) ?? start;
  }

  set(key: string, state: TextState): void {
    this.#states.delete(key);
    if (state.tail === "" && state.rest === "") return;
    this.#states.set(key, state);
    if (this.#states.size <= MAX_STATES) return;
    for (const oldest of this.#states.keys()) {
      this.#states.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.#states.delete(key);
  }
}

const MAX_STATES = 300;
