/** Something that what is being written may become. */
export interface Candidate {
  /** What stands there then. */
  readonly text: string;
  /** For people. */
  readonly hint?: string;
  /** More follows at once: a folder, whose files come next. */
  readonly open?: true;
}

/** What can be completed: the part from `start` to `end`, by one of the candidates. */
export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly candidates: readonly Candidate[];
}

/** Where candidates come from. */
export interface CompletionSources {
  /** Commands, without their slash. */
  commands(): readonly Candidate[];
  /** What may follow a command, given the words that are there already. */
  argumentsOf(command: string, words: readonly string[]): readonly Candidate[];
  /** Files whose path begins with that. */
  files(prefix: string): readonly Candidate[];
}

/** What the text before the cursor may become: a command, its argument, or a file behind `@`. `undefined` where nothing is completed. */
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

/** How a file is written in a prompt: in quotes when there is a space in its path. A folder stays open for what is in it. */
export function attachment(path: string): string {
  if (!/\s/.test(path)) return `@${path}`;
  return path.endsWith("/") ? `@"${path}` : `@"${path}"`;
}

/** What all candidates have in common: what is written when one key is pressed and several are possible. */
export function commonPrefix(candidates: readonly Candidate[]): string {
  const [first = { text: "" }, ...others] = candidates;
  let length = first.text.length;
  for (const { text } of others) {
    while (!text.startsWith(first.text.slice(0, length))) length -= 1;
  }
  return first.text.slice(0, length);
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
