/** One of the answers that are offered. */
export interface Choice {
  /** The key that chooses it; in a pipe, the line. */
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

/** Something to ask a person: one of several choices by a key, or a line of text. */
export interface Question {
  /** What it is about, painted already. */
  readonly lines: readonly string[];
  /** Absent: a line of text is asked for. */
  readonly choices?: readonly Choice[];
  /** What an empty answer means. Without it an empty line is an answer for texts, and none for choices. */
  readonly initial?: string;
  /** Don't show what is typed. */
  readonly secret?: boolean;
  /** What is wrong with a text; it is asked for again then. */
  readonly check?: (text: string) => string | undefined;
  /** Aborts when it needs no answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Asks a person, one question after the other. */
export interface Asker {
  /** The value of the choice, or the text; `undefined` when the person doesn't want to answer, or can't any more. */
  ask(question: Question): Promise<string | undefined>;
}

/** The choice that was meant: by its key, its value or its label. */
export function choiceOf(choices: readonly Choice[], text: string): Choice | undefined {
  const wanted = text.trim().toLowerCase();
  const fits = (member: "key" | "value" | "label") => choices.find((choice) => choice[member].toLowerCase() === wanted);
  return wanted === "" ? undefined : (fits("key") ?? fits("value") ?? fits("label"));
}
