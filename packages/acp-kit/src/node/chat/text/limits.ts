/**
 * Maximum lengths of an agent's texts on the screen, in UTF-16 units. The rest is never processed: cleaning, layout and
 * Markdown cost time for each character, and the agent chooses how many there are.
 */
export const limits = {
  /** A title, a name, a path. */
  line: 500,
  /** A message, a thought, a replayed prompt. */
  message: 50_000,
  /** The text of a tool call, of a notice, of an error. */
  text: 10_000,
  /** Each side of a diff. */
  diff: 100_000,
  /** The output of a command: its end. */
  output: 20_000,
} as const;

/** Maximum number of drawn items, by kind. */
export const maxItems = {
  /** Parts of a tool call's content. */
  content: 30,
  /** Locations of a tool call. */
  locations: 20,
  /** Steps of a plan. */
  plan: 50,
  /** Lines of a printed list: the agent's commands, the values of an option. */
  list: 200,
} as const;

/** A text within a limit, and the length of the rest. */
export interface Bounded {
  readonly text: string;
  /** Number of omitted characters. */
  readonly missing: number;
}

/** Returns the prefix of a text. */
export function bounded(text: string, max: number): Bounded {
  if (text.length <= max) return { text, missing: 0 };
  return { text: text.slice(0, max), missing: text.length - max };
}

/** The text in place of omitted characters. */
export function moreCharacters(missing: number): string {
  return `… ${missing} more ${missing === 1 ? "character" : "characters"}`;
}

/** The text in place of omitted items. */
export function moreOf(missing: number, what: string): string {
  return `… ${missing} more ${what}${missing === 1 ? "" : "s"}`;
}
