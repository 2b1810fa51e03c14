import { wrongKeyText } from "@acp-kit/client/internal";
import type { Host } from "../../host.js";
import { allKey, type Choice, choiceOf, type Question } from "../dialogue/question.js";
import type { History } from "../input/history.js";
import { createKeyboard, type Key, type Keyboard } from "../input/keyboard.js";
import { Screen } from "../screen/screen.js";
import type { Canvas } from "../text/canvas.js";
import { cleanLine } from "../text/clean.js";
import { wrap } from "../text/layout.js";
import { createPaint, type Paint } from "../text/paint.js";
import type { ChatUi, ChatUser, ChatView } from "./chat-ui.js";
import { InputLine } from "./input-line.js";
import { type LiveQuestion, liveLines } from "./live-lines.js";

const spinners = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** The milliseconds between two frames while the agent works, and the minimum between any two frames. */
const [tickMs, frameMs] = [100, 33];
/** The user counts as typing for this time after the last key press, in milliseconds. */
const writingMs = 1000;
/** A question that takes single keys ignores them for this time after it appears, in milliseconds. */
const readingMs = 500;
/** How long a notice about keys is shown, in milliseconds. */
const hintMs = 2000;

interface Asked {
  readonly question: Question;
  readonly input: InputLine;
  problem: string | undefined;
  /** The index of the choice that the user has selected with the arrow keys. */
  at: number | undefined;
  /** The time of the first frame with this question. */
  shownAt: number | undefined;
  /** Whether keys answer the question. Until then, keys go to the input line: see {@link TerminalUi.#openQuestion}. */
  takesKeys: boolean;
  readonly settle: (answer: string | undefined) => void;
}

/** The user interface in a terminal: the conversation scrolls above an input line, also while the agent works. */
export class TerminalUi implements ChatUi {
  readonly isInteractive = true;
  readonly #screen: Screen;
  readonly #paint: Paint;
  readonly #keyboard: Keyboard;
  readonly #history: History;
  readonly #asked: Asked[] = [];
  readonly #unsubscribe: () => void;
  #input: InputLine;
  #view: ChatView | undefined;
  #user: ChatUser | undefined;
  #printed: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #hint: { readonly text: string; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  #frame = 0;
  #lastKeyAt = Number.NEGATIVE_INFINITY;
  #lastDraftKeyAt = Number.NEGATIVE_INFINITY;
  #opening: ReturnType<typeof setTimeout> | undefined;
  #costMs = 0;
  #suspended = false;
  #leave: () => void = () => {};

  constructor(host: Host, history: History) {
    this.#screen = new Screen(host.stdout);
    this.#paint = createPaint(host.stdout.colours.enabled);
    this.#history = history;
    this.#input = new InputLine(history);
    this.#keyboard = createKeyboard(host.stdin, (key) => this.#pressed(key));
    this.#unsubscribe = host.stdout.onResize(() => this.changed());
    this.#screen.open();
    this.#keyboard.open();
  }

  get canvas(): Canvas {
    return { columns: this.#screen.columns - 1, paint: this.#paint };
  }

  print(...lines: readonly string[]): void {
    // The session's output so far is printed first, so that `lines` come after it.
    const { settled = [] } = this.#view?.advance(this.canvas, "") ?? {};
    const wrapped = lines.flatMap((line) => wrap(line, this.#screen.columns - 1));
    this.#printed = [...this.#printed, ...settled, ...wrapped];
    this.changed();
  }

  changed(): void {
    // If drawing takes long, frames are less frequent, so that the rest of the program gets time.
    this.#timer ??= setTimeout(() => this.#draw(), Math.max(frameMs, 3 * this.#costMs));
  }

  run(view: ChatView, user: ChatUser): Promise<void> {
    const draft = this.#input.edited;
    this.#view = view;
    this.#user = user;
    this.#input = new InputLine(this.#history, (text, cursor) => user.complete(text, cursor), draft);
    this.#ticker = setInterval(() => {
      this.#frame += 1;
      if (view.busy !== undefined) this.changed();
    }, tickMs);
    this.changed();
    return new Promise((resolve) => {
      this.#leave = resolve;
    });
  }

  ask(question: Question): Promise<string | undefined> {
    const { signal } = question;
    if (signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const settle = (answer: string | undefined): void => {
        const index = this.#asked.indexOf(asked);
        if (index >= 0) this.#asked.splice(index, 1);
        signal?.removeEventListener("abort", gone);
        this.changed();
        resolve(answer);
      };
      const gone = (): void => settle(undefined);
      const asked: Asked = {
        question,
        input: new InputLine(),
        problem: undefined,
        at: undefined,
        shownAt: undefined,
        takesKeys: false,
        settle,
      };
      signal?.addEventListener("abort", gone, { once: true });
      this.#asked.push(asked);
      this.changed();
    });
  }

  restore(text: string): void {
    const typed = this.#input.text;
    this.#input.write(typed === "" ? text : `${text}\n${typed}`);
    this.changed();
  }

  hint(text: string): void {
    clearTimeout(this.#hint?.timer);
    const timer = setTimeout(() => {
      this.#hint = undefined;
      this.changed();
    }, hintMs);
    this.#hint = { text, timer };
    this.changed();
  }

  readonly suspend = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    this.#draw();
    this.#suspended = true;
    this.#keyboard.close();
    this.#screen.close();
    try {
      return await run();
    } finally {
      this.#suspended = false;
      this.#screen.open();
      this.#keyboard.open();
      this.changed();
    }
  };

  leave(): void {
    for (const { settle } of [...this.#asked]) settle(undefined);
    this.#leave();
  }

  close(): void {
    this.leave();
    this.#draw();
    clearInterval(this.#ticker);
    clearTimeout(this.#timer);
    clearTimeout(this.#opening);
    clearTimeout(this.#hint?.timer);
    this.#unsubscribe();
    this.#suspended = true;
    this.#keyboard.close();
    this.#screen.close();
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#suspended) return;
    const began = performance.now();
    this.#openQuestion(began);
    const { canvas } = this;
    const view = this.#view;
    const spinner = spinners[this.#frame % spinners.length] ?? "";
    const { settled, live } = view?.advance(canvas, spinner) ?? { settled: [], live: [] };
    const printed = this.#printed.splice(0);
    const busy = view?.busy;
    const area = liveLines(
      {
        going: live,
        plan: view?.plan(canvas) ?? [],
        busy: busy && { label: busy.label, elapsedMs: Date.now() - busy.since, spinner },
        queued: view?.queued ?? [],
        question: this.#question(),
        input: this.#input.edited,
        menu: this.#input.menu,
        hint: this.#hint?.text,
        status: view?.status() ?? "",
        rows: this.#screen.rows,
      },
      canvas,
    );
    // While the agent works, frames follow each other. The cursor is then parked, unless the user is typing: see
    // `LiveArea.isParked`.
    const isParked = busy !== undefined && began - this.#lastKeyAt > writingMs;
    this.#screen.draw([...printed, ...settled], { ...area, isParked });
    this.#costMs = performance.now() - began;
  }

  #question(): LiveQuestion | undefined {
    const [asked] = this.#asked;
    if (asked === undefined) return undefined;
    const { question, input, problem, at, takesKeys } = asked;
    const { lines, choices, none, secret = false } = question;
    return {
      lines,
      choices,
      none,
      at,
      input: input.edited,
      secret,
      problem,
      takesKeys,
      waiting: this.#asked.length - 1,
    };
  }

  /**
   * Lets the first question take keys, once the user can have noticed it. A question appears at any moment, so
   * otherwise a key of the prompt that the user is typing could allow a tool call. Called for each frame, so that no
   * key answers a question that is not yet on the screen.
   */
  #openQuestion(now: number): void {
    clearTimeout(this.#opening);
    const [asked] = this.#asked;
    if (asked === undefined || asked.takesKeys) return;
    // A text is only sent by Enter, so such a question waits for nothing but a prompt that is being typed.
    const isText = asked.question.choices === undefined;
    if (asked.shownAt === undefined && isText && this.#input.text === "") asked.takesKeys = true;
    asked.shownAt ??= now;
    const opensAt = Math.max(asked.shownAt + (isText ? 0 : readingMs), this.#lastDraftKeyAt + writingMs);
    if (now >= opensAt) asked.takesKeys = true;
    else if (!asked.takesKeys) this.#opening = setTimeout(() => this.changed(), opensAt - now);
  }

  // ── keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  #pressed(key: Key): void {
    const [asked] = this.#asked;
    this.#lastKeyAt = performance.now();
    if (key.ctrl && key.name === "c") this.#interrupt();
    else if (key.ctrl && key.name === "l") this.#screen.clear();
    else if (asked?.takesKeys) this.#answer(asked, key);
    else this.#write(key);
    this.changed();
  }

  #interrupt(): void {
    const isWriting = this.#input.text !== "";
    if (this.#asked.length === 0 && isWriting && this.#view?.busy === undefined) this.#input.clear();
    else if (this.#user === undefined) this.leave();
    else this.#user.interrupted();
  }

  #write(key: Key): void {
    this.#lastDraftKeyAt = performance.now();
    const event = this.#input.press(key);
    if (event === "nothing" && key.name === "escape") this.#user?.escaped();
    switch (event) {
      case "entered": {
        const { text } = this.#input;
        this.#input.clear();
        this.#lastKeyAt = Number.NEGATIVE_INFINITY;
        if (text.trim() === "") return;
        this.#history.add(text);
        void this.#user?.entered(text);
        return;
      }
      case "ended":
        this.#user?.ended();
    }
  }

  #answer(asked: Asked, key: Key): void {
    const { question, input, settle } = asked;
    const { choices, initial, check } = question;
    if (key.name === "escape") {
      settle(undefined);
      return;
    }
    if (choices !== undefined) {
      this.#choose(asked, choices, key);
      return;
    }
    asked.problem = undefined;
    if (input.press(key) !== "entered") return;
    const text = input.text === "" && initial !== undefined ? initial : input.text;
    asked.problem = check?.(text);
    if (asked.problem === undefined) settle(text);
  }

  /** Selects a choice by its key, or by arrow keys and Enter. Any other key shows the valid keys. */
  #choose(asked: Asked, choices: readonly Choice[], key: Key): void {
    const { length } = choices;
    const step = stepOf(key);
    asked.problem = undefined;
    if (step !== undefined) {
      asked.at = asked.at === undefined ? (step > 0 ? 0 : length - 1) : (asked.at + step + length) % length;
      return;
    }
    const marked = asked.at === undefined ? undefined : choices[asked.at];
    const choice =
      key.name === "return" ? (marked ?? choiceOf(choices, asked.question.initial ?? "")) : choiceOf(choices, key.text);
    const { all } = asked.question;
    if (choice !== undefined) asked.settle(choice.value);
    else if (all !== undefined && key.text === allKey) this.print(...all());
    else asked.problem = `${cleanLine(wrongKeyText(choices, key.text))} Arrows and Enter choose, too.`;
  }
}

function stepOf({ name, shift }: Key): 1 | -1 | undefined {
  if (name === "up" || name === "left" || (name === "tab" && shift)) return -1;
  return name === "down" || name === "right" || name === "tab" ? 1 : undefined;
}
