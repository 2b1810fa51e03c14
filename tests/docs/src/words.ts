/** A banned word of a text, with the line it is on. */
export interface BannedWord {
  /** 1-based. */
  readonly line: number;
  readonly word: string;
  /** The words to use instead. */
  readonly instead: string;
}

/** Words with too many meanings, or none, and the words to use instead. */
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
  ["no message|no JSON", "invalid message, not JSON"],
  ["written down", "persisted, logged"],
  ["told otherwise", "by default"],
];

const MEANT = /<!-- meant: ([^>]+?) -->/g;

/** The banned words of a Markdown text. Code, links' targets and titles of tests (“…”) are left out, and so are words that the line marks: `<!-- meant: told -->`. */
export function bannedWords(markdown: string): BannedWord[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ""));
  return prose.split("\n").flatMap((text, index) => {
    const meant = [...text.matchAll(MEANT)].flatMap(([, words = ""]) => words.toLowerCase().split(/,\s*/));
    const plain = text.replace(MEANT, "").replace(/`[^`]*`|“[^”]*”|\]\([^)]*\)/g, " ");
    return banned.flatMap(([words, instead]) =>
      [...plain.matchAll(new RegExp(`\\b(?:${words})\\b`, "gi"))]
        .filter(([word]) => !meant.includes(word.toLowerCase()))
        .map(([word]) => ({ line: index + 1, word, instead })),
    );
  });
}
