import type { History } from "./history.js";
import type { Key } from "./keyboard.js";

/** The displayed state of a search through previous prompts. */
export interface Search {
  readonly query: string;
  /** The prompt that contains the query; `undefined` if no prompt contains it, or while the query is empty. */
  readonly found: string | undefined;
}

/** The effect of a key: the search continues, the user accepts the match (`taken`), or cancels (`given_up`). */
export type SearchEvent = "searching" | "taken" | "given_up";

/** Ctrl-R: finds the last entry of the history that contains a text. Pressing Ctrl-R again finds the previous match. */
export class HistorySearch implements Search {
  readonly #history: History;
  #query = "";
  #at: number | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  get query(): string {
    return this.#query;
  }

  get found(): string | undefined {
    return this.#at === undefined ? undefined : this.#history.entry(this.#at);
  }

  press(key: Key): SearchEvent {
    if (key.ctrl && key.name === "r") this.#find(this.#at);
    else if (key.name === "escape" || (key.ctrl && key.name === "g")) return "given_up";
    else if (key.name === "backspace") this.#search([...this.#query].slice(0, -1).join(""));
    else if (key.text !== "" && key.name !== "return" && key.name !== "enter") this.#search(this.#query + key.text);
    else return "taken";
    return "searching";
  }

  #search(query: string): void {
    this.#query = query;
    this.#at = undefined;
    this.#find(undefined);
  }

  #find(before: number | undefined): void {
    if (this.#query !== "") this.#at = this.#history.find(this.#query, before) ?? before;
  }
}
