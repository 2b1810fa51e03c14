import type { AvailableCommand } from "@acp-kit/types";

/** A file that the composer suggests after `@`. */
export interface FileSuggestion {
  /** The path as the user sees it, for example relative to the working directory. */
  readonly path: string;
  /** The URI of the file for the agent, such as the result of `fileUri` of `@acp-kit/client`. */
  readonly uri: string;
}

/** The word at the caret, if it can be completed: a command at the start of the prompt, or a file after `@`. */
export interface CompletionQuery {
  readonly kind: "command" | "file";
  /** The text after the `/` or `@`. */
  readonly text: string;
  /** The position of the `/` or `@`. */
  readonly from: number;
  readonly to: number;
}

/** Returns the word at the caret, if it can be completed. */
export function queryAt(text: string, caret: number): CompletionQuery | undefined {
  const before = text.slice(Math.max(0, caret - 500), caret);
  const command = caret <= 500 ? /^\/([^\s/]*)$/.exec(before) : null;
  if (command !== null) return { kind: "command", text: command[1] ?? "", from: 0, to: caret };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (file === null) return undefined;
  const name = file[1] ?? "";
  return { kind: "file", text: name, from: caret - name.length - 1, to: caret };
}

/** Returns the commands whose name contains the text. Names that start with the text come first. */
export function matchingCommands(commands: readonly AvailableCommand[], text: string): readonly AvailableCommand[] {
  const wanted = text.toLowerCase();
  const rank = ({ name }: AvailableCommand): number => name.toLowerCase().indexOf(wanted);
  return commands
    .filter((command) => rank(command) >= 0)
    .sort((a, b) => Math.min(1, rank(a)) - Math.min(1, rank(b)))
    .slice(0, MAX_SUGGESTIONS);
}

/** Returns the files that a text mentions as `@` and their path, once. `@a.tsx` does not mention `a.ts`. */
export function mentionedFiles(files: readonly FileSuggestion[], text: string): readonly FileSuggestion[] {
  const mentioned = new Set<string>();
  let rest = text;
  for (const { path } of [...files].sort((a, b) => b.path.length - a.path.length)) {
    if (!rest.includes(`@${path}`)) continue;
    mentioned.add(path);
    rest = rest.replaceAll(`@${path}`, " ");
  }
  return files.filter(
    ({ path, uri }, index) => mentioned.has(path) && files.findIndex((each) => each.uri === uri) === index,
  );
}

/** The maximum number of suggestions. */
export const MAX_SUGGESTIONS = 50;
