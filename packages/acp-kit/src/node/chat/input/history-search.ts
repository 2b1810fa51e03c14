import type { History } from "./history.js";
import type { Key } from "./keyboard.js";

/** A search through what was written before, as it is shown. */
export interface Search {
  readonly query: string;
  /** What was found last; `undefined` when there is nothing, or nothing was typed yet. */
  readonly found: string | undefined;
}

/** What a key did to a search: it goes on, what was found is taken, or it is given up. */
export type SearchEvent = "searching" | "taken" | "given_up";

/** Ctrl-R: finds the last entry of the history that has a text in it; once more finds the one before. */
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
    else if (key.name === "backspace") this.#search(this.#query.slice(0, -1));
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
