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
  ["what waits|what is kept", "the queue, pending, buffered"],
  ["(?:is|are|was|were|be) asked(?: to)?", "sends a request, prompts the user"],
  ["(?:is|are|was|were) answered", "gets a response, gets the error"],
  ["strangers?|twins", "third-party peers, duplicates"],
  ["the house", "package boundaries"],
  ["(?:session|sessions) of before", "previous, saved"],
  ["(?:is|are|was|were) no messages?|(?:is|are|was|were) no JSON", "invalid message, not JSON"],
  ["written down", "persisted, logged"],
];

const patterns = banned.map(
  ([words, instead]) => [new RegExp(`(?<![\\w.-])(?:${words})(?![\\w-])`, "gi"), instead] as const,
);

/** Returns the banned words of a Markdown text. Code, targets of links and titles of tests (“…”) are ignored. */
export function bannedWords(markdown: string): BannedWord[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ""));
  return wordsOf(prose.replace(/\]\([^)\n]*\)/g, " "), 1);
}

/**
 * Returns the banned words in the comments, messages and titles of tests of a TypeScript or JavaScript source. Code in
 * back quotes is ignored.
 */
export function bannedWordsInSource(source: string): BannedWord[] {
  return prosePiecesOf(source).flatMap(({ text, line }) => wordsOf(text, line));
}

/** @param firstLine the line of the first line of the text. */
function wordsOf(text: string, firstLine: number): BannedWord[] {
  return text.split("\n").flatMap((line, index) => {
    const plain = line.replace(/`[^`]*`|“[^”]*”|\{@link [^}]*\}/g, " ");
    return patterns.flatMap(([pattern, instead]) =>
      [...plain.matchAll(pattern)].map(([word]) => ({ line: firstLine + index, word, instead })),
    );
  });
}
