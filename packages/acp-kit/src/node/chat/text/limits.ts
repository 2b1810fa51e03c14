import { prefixOf } from "@acp-kit/protocol/internal";
/**
 * Maximum lengths of an agent's texts on the screen, in UTF-16 units. The rest of a text is not processed: cleaning,
 * layout and Markdown need time for each character, and an agent may send any number of characters.
 */
export const limits = {
  /** The maximum length of a title, a name or a path. */
  line: 500,
  /** The maximum length of a message, a thought or a replayed prompt. */
  message: 50_000,
  /** The maximum length of the text of a tool call, a notice or an error. */
  text: 10_000,
  /** The maximum length of each side of a diff. */
  diff: 100_000,
  /** The maximum length of the output of a command, counted from its end. */
  output: 20_000,
} as const;

/** The maximum number of drawn items, by kind. */
export const maxItems = {
  /** The maximum number of drawn parts of a tool call's content. */
  content: 30,
  /** The maximum number of drawn locations of a tool call. */
  locations: 20,
  /** The maximum number of drawn steps of a plan. */
  plan: 50,
  /** The maximum number of child sessions that are drawn while they work. */
  children: 5,
  /** The maximum number of lines of a child session's last message, or of its tool calls. */
  childLines: 6,
  /** The maximum number of lines of a printed list, such as the agent's commands or the values of an option. */
  list: 200,
} as const;

/** A text that was cut at a limit, and the number of omitted characters. */
export interface Bounded {
  readonly text: string;
  /** The number of omitted characters. */
  readonly missing: number;
}

/** Cuts a text at a limit, between characters. */
export function bounded(text: string, max: number): Bounded {
  const head = prefixOf(text, max);
  return { text: head, missing: text.length - head.length };
}

/** Returns the text that is shown in place of omitted characters. */
export function moreCharacters(missing: number): string {
  return `… ${missing} more ${missing === 1 ? "character" : "characters"}`;
}

/** Returns the text that is shown in place of omitted items. */
export function moreOf(missing: number, what: string): string {
  return `… ${missing} more ${what}${missing === 1 ? "" : "s"}`;
}
