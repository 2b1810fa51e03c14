/** A candidate of a completion. */
export interface Candidate {
  /** The completed text. A {@link Completion} inserts it in place of the typed text. */
  readonly text: string;
  /** A description for the user. */
  readonly hint?: string;
  /** Set for a folder: the user continues with the name of a file in it. */
  readonly open?: true;
}

/** A completion: one of the candidates can replace the text from `start` to `end`. */
export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly candidates: readonly Candidate[];
}

/** The sources of candidates. */
export interface CompletionSources {
  /** Commands, without their slash. */
  commands(): readonly Candidate[];
  /** Candidates for the next argument of a command. `words` are the previous arguments. */
  argumentsOf(command: string, words: readonly string[]): readonly Candidate[];
  /** Files whose path begins with this prefix. */
  files(prefix: string): readonly Candidate[];
}

/** Completes a command, its argument, or a file after `@`. Returns `undefined` if there is nothing to complete. */
export function complete(text: string, cursor: number, sources: CompletionSources): Completion | undefined {
  const head = text.slice(0, cursor);
  const file = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/.exec(head);
  if (file !== null) {
    const prefix = file[1] ?? file[2] ?? "";
    const start = cursor - prefix.length - (file[1] === undefined ? 1 : 2);
    const candidates = sources.files(prefix).map((each) => ({ ...each, text: attachment(each.text) }));
    return found(start, cursor, candidates);
  }
  const command = /^\/(\S*)$/.exec(head);
  if (command !== null) return found(0, cursor, slashed(sources.commands(), command[1] ?? ""));
  const argument = /^\/(\S+)((?:[ \t]+\S+)*)[ \t]+(\S*)$/.exec(head);
  if (argument === null) return undefined;
  const [, name = "", words = "", prefix = ""] = argument;
  const before = words.split(/\s+/).filter((word) => word !== "");
  const fitting = sources.argumentsOf(name, before).filter((each) => begins(each.text, prefix));
  return found(cursor - prefix.length, cursor, fitting);
}

/** Formats a path in a prompt, in quotes if it contains a space; after a folder, the quote stays open. */
export function attachment(path: string): string {
  if (!/\s/.test(path)) return `@${path}`;
  return path.endsWith("/") ? `@"${path}` : `@"${path}"`;
}

/** Returns the common prefix of all candidates. The key Tab inserts it. */
export function commonPrefix(candidates: readonly Candidate[]): string {
  const [first = { text: "" }, ...others] = candidates;
  let length = first.text.length;
  for (const { text } of others) {
    while (!text.startsWith(first.text.slice(0, length))) length -= 1;
  }
  const last = first.text.charCodeAt(length - 1);
  // Not the first half of a character
  return first.text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

function slashed(commands: readonly Candidate[], prefix: string): Candidate[] {
  return commands.filter(({ text }) => begins(text, prefix)).map((each) => ({ ...each, text: `/${each.text}` }));
}

function begins(text: string, prefix: string): boolean {
  return text.toLowerCase().startsWith(prefix.toLowerCase());
}

function found(start: number, end: number, candidates: readonly Candidate[]): Completion | undefined {
  return candidates.length === 0 ? undefined : { start, end, candidates };
}
