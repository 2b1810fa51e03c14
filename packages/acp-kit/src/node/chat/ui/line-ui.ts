import { wrongKeyText } from "@acp-kit/client/internal";
import type { Host } from "../../host.js";
import { abortable } from "../../run/abortable.js";
import { allKey, choiceOf, type Question } from "../dialogue/question.js";
import { linesOf } from "../input/lines-of.js";
import type { Canvas } from "../text/canvas.js";
import { cleanLine } from "../text/clean.js";
import { createPaint } from "../text/paint.js";
import type { ChatUi, ChatUser, ChatView } from "./chat-ui.js";

/**
 * The user interface if standard input or output is a pipe. Each line is a prompt, a command, or the answer to the last
 * question. The next line is read when the current line was handled. Output is only appended, without cursor movements,
 * and without colours unless they are forced.
 */
export class LineUi implements ChatUi {
  readonly isInteractive = false;
  readonly canvas: Canvas;
  readonly #host: Host;
  readonly #left = new AbortController();
  #view: ChatView | undefined;
  #lines: AsyncIterator<string> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: Host) {
    this.#host = host;
    const { stdout } = host;
    this.canvas = { columns: Number.POSITIVE_INFINITY, paint: createPaint(stdout.colours.enabled) };
  }

  print(...lines: readonly string[]): void {
    this.changed(); // earlier output first
    for (const line of lines) this.#host.stdout.line(line);
  }

  changed(): void {
    const { settled = [] } = this.#view?.advance(this.canvas, "●") ?? {};
    for (const line of settled) this.#host.stdout.line(line);
  }

  async run(view: ChatView, user: ChatUser): Promise<void> {
    this.#view = view;
    for (;;) {
      const text = await this.#next();
      if (text === undefined || this.#left.signal.aborted) break;
      await user.entered(text);
      if (this.#left.signal.aborted) break;
    }
    user.ended();
  }

  ask(question: Question): Promise<string | undefined> {
    const answer = this.#last.then(() => this.#ask(question));
    this.#last = answer.catch(() => {});
    return answer;
  }

  leave(): void {
    this.#left.abort();
  }

  close(): void {
    this.leave();
    this.#view = undefined;
  }

  async #ask({ lines, all, none = "cancel", choices, initial, check, signal }: Question): Promise<string | undefined> {
    this.changed(); // earlier output first
    const offered = choices?.map(({ key, label }) => `[${key}] ${label}`).join("   ");
    this.print("", ...lines, ...(offered === undefined ? [] : [`  ${offered}`]));
    while (!signal?.aborted) {
      const text = await this.#next(signal);
      if (text === undefined || signal?.aborted) return undefined;
      if (choices === undefined) {
        const answer = text === "" && initial !== undefined ? initial : text;
        const problem = check?.(answer);
        if (problem === undefined) return answer;
        this.print(problem);
      } else {
        const choice = choiceOf(choices, text === "" ? (initial ?? "") : text);
        if (choice !== undefined) return choice.value;
        if (text.trim() === "") return undefined;
        if (all !== undefined && text.trim().toLowerCase() === allKey) this.print(...all());
        else this.print(`${cleanLine(wrongKeyText(choices, text))} To ${none}, enter an empty line.`);
      }
    }
    return undefined;
  }

  /** Reads the next line; `undefined` at the end of input, or after the abort. */
  async #next(signal?: AbortSignal): Promise<string | undefined> {
    this.#lines ??= linesOf(this.#host.stdin);
    if (signal?.aborted || this.#left.signal.aborted) return undefined;
    const line = this.#lines.next();
    // A line that arrives after the abort belongs to the next question or prompt.
    const next = await abortable(line, this.#left.signal, signal);
    if (next === undefined) this.#lines = before(line, this.#lines);
    return next === undefined ? undefined : ended(next);
  }
}

function ended(result: IteratorResult<string>): string | undefined {
  return result.done ? undefined : result.value;
}

/** Returns an iterator over `first`, which was requested from `rest` before, and then over `rest`. */
function before(first: Promise<IteratorResult<string>>, rest: AsyncIterator<string>): AsyncIterator<string> {
  let isFirst = true;
  return {
    next() {
      if (!isFirst) return rest.next();
      isFirst = false;
      return first;
    },
  };
}
