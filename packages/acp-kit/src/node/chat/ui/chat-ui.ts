import type { Asker } from "../dialogue/question.js";
import type { Completion } from "../input/complete.js";
import type { Canvas } from "../text/canvas.js";
import type { Advance } from "../view/scrollback.js";

/** What a user interface draws: asked anew for every frame. */
export interface ChatView {
  /** What the session has told since the last time, drawn. */
  advance(canvas: Canvas, spinner: string): Advance;
  /** The plan of the running turn; empty when there is none. */
  plan(canvas: Canvas): readonly string[];
  /** What the agent is doing; `undefined` when it waits for the user. */
  readonly busy: { readonly label: string; readonly since: number } | undefined;
  /** Prompts that wait for the running turn. */
  readonly queued: readonly string[];
  /** What is told below the input. */
  status(): string;
}

/** What a user does. */
export interface ChatUser {
  /** A line that was entered, be it a command or a prompt. Resolves when it is done; never rejects. */
  entered(text: string): Promise<void>;
  /** Ctrl-C, with nothing written. */
  interrupted(): void;
  /** Esc, with nothing to give up but the running turn. */
  escaped(): void;
  /** The end of input. */
  ended(): void;
  /** What the text before the cursor may become. */
  complete(text: string, cursor: number): Completion | undefined;
}

/** Where a conversation is held: a terminal, or a pipe. */
export interface ChatUi extends Asker {
  readonly isInteractive: boolean;
  readonly canvas: Canvas;
  /** Writes lines that stay. */
  print(...lines: readonly string[]): void;
  /** Tells something for a moment. */
  hint?(text: string): void;
  /** There may be something new to draw. */
  changed(): void;
  /** Holds the conversation. Resolves when the user has left. */
  run(view: ChatView, user: ChatUser): Promise<void>;
  /** Lends the terminal to something else. */
  suspend?: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Ends {@link run}. */
  leave(): void;
  /** Writes what is left and gives the terminal back. */
  close(): void;
}
