import { prosePiecesOf } from "./source-prose.js";

/** A banned word of a text, with its line. */
export interface BannedWord {
  /** Counted from 1. */
  readonly line: number;
  readonly word: string;
  /** The words to use instead. */
  readonly instead: string;
}

/** Words that are vague or ambiguous, with the words to use instead. */
const banned: readonly (readonly [words: string, instead: string])[] = [
  ["tell|tells|told|telling", "send, report, log, notify, advertise, replay"],
  ["hear|hears|heard", "receive"],
  ["whoever|whomever|somebody|someone|nobody|anybody", "the caller, the peer, the client, the agent, the user"],
  ["what waits|what is kept", "the queue, pending, buffered"], // (meant: what waits, what is kept)
  ["(?:is|are|was|were|be) asked(?: to)?", "sends a request, prompts the user"],
  ["(?:is|are|was|were) answered", "gets a response, gets the error"],
  ["strangers?|twins", "third-party peers, duplicates"],
  ["the house", "package boundaries"], // (meant: the house)
  ["(?:session|sessions) of before", "previous, saved"],
  ["(?:is|are|was|were) no messages?|(?:is|are|was|were) no JSON", "invalid message, not JSON"],
  ["written down", "persisted, logged"], // (meant: written down)
];

const patterns = banned.map(
  ([words, instead]) => [new RegExp(`(?<![\\w.-])(?:${words})(?![\\w-])`, "gi"), instead] as const,
);

const MEANT = /<!-- meant: ([^>]+?) -->/g;

/**
 * In a source, a comment marks banned words that are meant: `(meant: word, word)`, on the same line or in the comment that contains the
 * word.
 */
const MEANT_IN_SOURCE = /\(meant: ([^)]+)\)/g;

/**
 * Returns the banned words of a Markdown text. Code, targets of links and titles of tests (“…”) are ignored, and also words that the line
 * marks: `<!-- meant: told -->`.
 */
export function bannedWords(markdown: string): BannedWord[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ""));
  return prose.split("\n").flatMap((text, index) => {
    const meant = wordsIn(text.matchAll(MEANT));
    return wordsOf(text.replace(MEANT, "").replace(/\]\([^)]*\)/g, " "), index + 1, meant);
  });
}

/**
 * Returns the banned words in the comments, messages and titles of tests of a TypeScript or JavaScript source. Code in back quotes is
 * ignored, and also words that a comment marks, for itself or for its line: `(meant: told)`.
 */
export function bannedWordsInSource(source: string): BannedWord[] {
  const lines = source.split("\n");
  return prosePiecesOf(source).flatMap(({ text, line, isComment }) => {
    const around = isComment ? text : (lines[line - 1] ?? "");
    const meant = wordsIn(around.matchAll(MEANT_IN_SOURCE));
    return text.split("\n").flatMap((part, index) => wordsOf(part.replace(MEANT_IN_SOURCE, ""), line + index, meant));
  });
}

function wordsIn(marks: Iterable<RegExpMatchArray>): string[] {
  return [...marks].flatMap(([, words = ""]) => words.toLowerCase().split(/,\s*/));
}

function wordsOf(text: string, line: number, meant: readonly string[]): BannedWord[] {
  const plain = text.replace(/`[^`]*`|“[^”]*”|\{@link [^}]*\}/g, " ");
  return patterns.flatMap(([pattern, instead]) =>
    [...plain.matchAll(pattern)]
      .filter(([word]) => !meant.includes(word.toLowerCase()))
      .map(([word]) => ({ line, word, instead })),
  );
}
