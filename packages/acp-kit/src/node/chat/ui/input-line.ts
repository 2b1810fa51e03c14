import { type Candidate, type Completion, commonPrefix } from "../input/complete.js";
import { type Edited, edit, insert, moveLine, nothingWritten, replace, written } from "../input/editor.js";
import type { History } from "../input/history.js";
import type { Key } from "../input/keyboard.js";

/** The effect of a key on the input. */
export type InputEvent = "edited" | "entered" | "ended" | "nothing";

/** The state of the input line: text, completion, history. It does not depend on a screen. */
export class InputLine {
  #edited: Edited = nothingWritten;
  /**
   * While the user goes through the candidates of a completion: the completion, the input before a candidate was
   * inserted, and the index of the inserted candidate.
   */
  #cycle: { readonly completion: Completion; readonly before: Edited; readonly at: number } | undefined;
  /** Whether the last key moved through the history. Arrow keys then continue there, even while a menu is open. */
  #isBrowsing = false;
  /** Whether Esc has closed the menu. It stays closed until the text changes. */
  #isMenuClosed = false;
  readonly #history: History | undefined;
  readonly #complete: ((text: string, cursor: number) => Completion | undefined) | undefined;

  constructor(
    history?: History,
    complete?: (text: string, cursor: number) => Completion | undefined,
    initial: Edited = nothingWritten,
  ) {
    this.#history = history;
    this.#complete = complete;
    this.#edited = initial;
  }

  get edited(): Edited {
    return this.#edited;
  }

  get text(): string {
    return this.#edited.text;
  }

  clear(): void {
    this.write("");
  }

  /** Replaces the text. The cursor is then at its end. */
  write(text: string): void {
    this.#edited = written(text);
    this.#cycle = undefined;
    this.#isBrowsing = false;
    this.#isMenuClosed = false;
  }

  /** The menu of candidates and its selection. */
  get menu(): { readonly candidates: readonly Candidate[]; readonly at: number | undefined } {
    if (this.#isMenuClosed) return { candidates: [], at: undefined };
    if (this.#cycle !== undefined) return { candidates: this.#cycle.completion.candidates, at: this.#cycle.at };
    const { text, cursor } = this.#edited;
    const completion = this.#complete?.(text, cursor);
    const typed = completion && text.slice(completion.start, completion.end);
    const candidates = completion?.candidates ?? [];
    return { candidates: candidates.length === 1 && candidates[0]?.text === typed ? [] : candidates, at: undefined };
  }

  press(key: Key): InputEvent {
    const isArrow = key.name === "up" || key.name === "down";
    if (isArrow && !this.#isBrowsing && this.menu.candidates.length > 0) return this.#move(key.name === "up" ? -1 : 1);
    this.#isBrowsing = isArrow;
    if (key.name === "escape") return this.#closeMenu();
    this.#isMenuClosed = false;
    if (key.name === "tab") return this.#tab(key.shift ? -1 : 1);
    this.#cycle = undefined;
    const { text, cursor } = this.#edited;
    switch (key.name) {
      case "paste":
        return this.#set(insert(this.#edited, key.text));
      case "return":
        if (key.meta || key.shift) return this.#set(insert(this.#edited, "\n"));
        // The answer to a question, which has no history, may end in a backslash, such as a password or a folder.
        if (this.#history !== undefined && text.slice(0, cursor).endsWith("\\"))
          return this.#set(replace(this.#edited, cursor - 1, cursor, "\n"));
        return "entered";
      case "enter": // Ctrl-J, and Shift-Enter in some terminals
        return this.#set(insert(this.#edited, "\n"));
      case "up":
        return this.#set(moveLine(this.#edited, -1) ?? fromHistory(this.#history?.back(text)));
      case "down":
        return this.#set(moveLine(this.#edited, 1) ?? fromHistory(this.#history?.forward()));
    }
    if (key.ctrl && key.name === "d" && text === "") return "ended";
    const edited = edit(this.#edited, key);
    if (edited !== undefined) return this.#set(edited);
    return key.text === "" ? "nothing" : this.#set(insert(this.#edited, key.text));
  }

  /** Handles Esc. Returns "nothing" if no menu is open. */
  #closeMenu(): InputEvent {
    if (this.menu.candidates.length === 0) return "nothing";
    if (this.#cycle !== undefined) this.#edited = this.#cycle.before;
    this.#cycle = undefined;
    this.#isMenuClosed = true;
    return "edited";
  }

  /** Selects the next candidate of the menu, without completing the common prefix first. */
  #move(step: 1 | -1): InputEvent {
    const { text, cursor } = this.#edited;
    const completion = this.#cycle?.completion ?? this.#complete?.(text, cursor);
    if (completion === undefined) return "nothing";
    const { length } = completion.candidates;
    const at = this.#cycle === undefined ? (step > 0 ? 0 : length - 1) : (this.#cycle.at + step + length) % length;
    return this.#choose(completion, this.#cycle?.before ?? this.#edited, at);
  }

  #set(edited: Edited | undefined): InputEvent {
    if (edited === undefined) return "nothing";
    this.#edited = edited;
    return "edited";
  }

  /** Completes the common prefix of all candidates, then goes through them. */
  #tab(step: 1 | -1): InputEvent {
    if (this.#cycle !== undefined) {
      const { completion, before, at } = this.#cycle;
      const { length } = completion.candidates;
      return this.#choose(completion, before, (at + step + length) % length);
    }
    const { text, cursor } = this.#edited;
    const completion = this.#complete?.(text, cursor);
    if (completion === undefined) return "nothing";
    const { start, end, candidates } = completion;
    const [only] = candidates;
    if (candidates.length === 1 && only !== undefined) {
      return this.#set(replace(this.#edited, start, end, only.open ? only.text : `${only.text} `));
    }
    const common = commonPrefix(candidates);
    if (common.length > end - start) return this.#set(replace(this.#edited, start, end, common));
    return this.#choose(completion, this.#edited, step > 0 ? 0 : candidates.length - 1);
  }

  #choose(completion: Completion, before: Edited, at: number): InputEvent {
    const { start, end, candidates } = completion;
    this.#cycle = { completion, before, at };
    return this.#set(replace(before, start, end, candidates[at]?.text ?? ""));
  }
}

function fromHistory(text: string | undefined): Edited | undefined {
  return text === undefined ? undefined : written(text);
}
