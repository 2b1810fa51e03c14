/** One of the choices of a question. */
export interface Choice {
  /** The key that selects the choice. If standard input is a pipe, the user enters the key as a line. */
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

/** A question to the user: one of several choices by a key, or a line of text. */
export interface Question {
  /** The text of the question, with terminal styles. */
  readonly lines: readonly string[];
  /** Returns the whole text, if {@link lines} are only a part of it. The key `v` prints it. */
  readonly all?: (() => readonly string[]) | undefined;
  /** What Esc, or an empty line, does. The default is `none of them`. */
  readonly none?: string;
  /** The choices. Without choices, the answer is a line of text. */
  readonly choices?: readonly Choice[];
  /** The answer to an empty line. Without it, an empty line selects no choice, or is the answer `""`. */
  readonly initial?: string;
  /** Whether to hide the typed text. */
  readonly secret?: boolean;
  /** Validates an entered text. If the function returns a problem, the user is prompted again. */
  readonly check?: (text: string) => string | undefined;
  /** A signal that aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** Prompts the user, one question after the other. */
export interface Asker {
  /** Resolves with the value of the choice, or the text; `undefined` if the user cancels, or the input ends. */
  ask(question: Question): Promise<string | undefined>;
}

/** The key that prints the whole text of a question. */
export const allKey = "v";

/**
 * Finds a choice by its key, number or label. A single character is always a key: an agent chooses the labels, and one
 * that labels its permission `n` must not get it from a user who wants to reject it. For the same reason, values are
 * not compared: the user does not see them.
 */
export function choiceOf(choices: readonly Choice[], text: string): Choice | undefined {
  const wanted = text.trim().toLowerCase();
  const fits = (member: "key" | "label") => choices.find((choice) => choice[member].toLowerCase() === wanted);
  if (wanted === "") return undefined;
  const numbered = /^\d+$/.test(wanted) ? choices[Number(wanted) - 1] : undefined;
  return fits("key") ?? numbered ?? (wanted.length > 1 ? fits("label") : undefined);
}
