/** A choice of a question. */
export interface Choice {
  /** The key that selects it; over a pipe, the line. */
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

/** A question to the user: one of several choices by a key, or a line of text. */
export interface Question {
  /** The question, with its styles. */
  readonly lines: readonly string[];
  /** The choices. Absent: the answer is a line of text. */
  readonly choices?: readonly Choice[];
  /** The meaning of an empty answer. Without it, an empty line is a valid text, but no choice. */
  readonly initial?: string;
  /** Hide the typed text. */
  readonly secret?: boolean;
  /** Validates a text: returns the problem, and the user is prompted again. */
  readonly check?: (text: string) => string | undefined;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** Prompts the user, one question after the other. */
export interface Asker {
  /** Resolves with the value of the choice, or the text; `undefined` if the user cancels, or the input ends. */
  ask(question: Question): Promise<string | undefined>;
}

/** Finds a choice by its key, value or label. */
export function choiceOf(choices: readonly Choice[], text: string): Choice | undefined {
  const wanted = text.trim().toLowerCase();
  const fits = (member: "key" | "value" | "label") => choices.find((choice) => choice[member].toLowerCase() === wanted);
  return wanted === "" ? undefined : (fits("key") ?? fits("value") ?? fits("label"));
}
