import type { Asker } from "../dialogue/question.js";
import type { Completion } from "../input/complete.js";
import type { Canvas } from "../text/canvas.js";
import type { Advance } from "../view/scrollback.js";

/** The content of a user interface. The user interface reads it for every frame. */
export interface ChatView {
  /** Returns the session's new output since the last call, as lines. */
  advance(canvas: Canvas, spinner: string): Advance;
  /** The plan of the running turn; empty if there is none. */
  plan(canvas: Canvas): readonly string[];
  /** The agent's activity; `undefined` while the agent waits for the user. */
  readonly busy: { readonly label: string; readonly since: number } | undefined;
  /** The prompts that wait for the running turn. */
  readonly queued: readonly string[];
  /** The status line below the input. */
  status(): string;
}

/** The handlers of the user's actions. */
export interface ChatUser {
  /** Handles a command or a prompt. Resolves when the command or the turn has ended. Never rejects. */
  entered(text: string): Promise<void>;
  /** Handles Ctrl-C while the input is empty. */
  interrupted(): void;
  /** Handles Esc while no menu and no question is open: cancels the running turn. */
  escaped(): void;
  /** Handles the end of the input. */
  ended(): void;
  /** Completes the text before the cursor. */
  complete(text: string, cursor: number): Completion | undefined;
}

/** The user interface of a conversation: a terminal, or a pipe. */
export interface ChatUi extends Asker {
  readonly isInteractive: boolean;
  readonly canvas: Canvas;
  /** Writes permanent lines. */
  print(...lines: readonly string[]): void;
  /** Shows a short notice for two seconds. */
  hint?(text: string): void;
  /** Puts a prompt that was not sent into the input, before the text that the user has typed since. */
  restore?(text: string): void;
  /** Requests a new frame. */
  changed(): void;
  /** Runs the conversation. Resolves when the user has quit. */
  run(view: ChatView, user: ChatUser): Promise<void>;
  /** Runs another program in the user's terminal. */
  suspend?: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Ends {@link run}. */
  leave(): void;
  /** Writes the remaining output and releases the terminal. */
  close(): void;
}
