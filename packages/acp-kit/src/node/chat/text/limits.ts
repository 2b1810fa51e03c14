/**
 * How much of an agent's text one thing on the screen may take, in UTF-16 units. What is cut off is never processed: cleaning, layout and
 * Markdown cost time for each character, and an agent chooses how many there are.
 */
export const limits = {
  /** A title, a name, a path. */
  line: 500,
  /** A message, a thought, a prompt that is replayed. */
  message: 50_000,
  /** The text of a tool call, of a notice, of an error. */
  text: 10_000,
  /** Each side of a diff. */
  diff: 100_000,
  /** The output of a command: its end. */
  output: 20_000,
} as const;

/** How many things of a kind are drawn. */
export const maxItems = {
  /** Parts of a tool call's content. */
  content: 30,
  /** Locations of a tool call that are looked at. */
  locations: 20,
  /** Steps of a plan. */
  plan: 50,
  /** Lines of a list that a command prints: the agent's commands, the values of an option. */
  list: 200,
} as const;

/** A text within a limit, and how much of it is missing. */
export interface Bounded {
  readonly text: string;
  /** How many characters were cut off. */
  readonly missing: number;
}

/** The beginning of a text. */
export function bounded(text: string, max: number): Bounded {
  if (text.length <= max) return { text, missing: 0 };
  return { text: text.slice(0, max), missing: text.length - max };
}

/** What stands in the place of characters that are not shown. */
export function moreCharacters(missing: number): string {
  return `… ${missing} more ${missing === 1 ? "character" : "characters"}`;
}

/** What stands in the place of things that are not shown. */
export function moreOf(missing: number, what: string): string {
  return `… ${missing} more ${what}${missing === 1 ? "" : "s"}`;
}
