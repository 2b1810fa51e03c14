import type { AvailableCommand } from "@acp-kit/types";
import { useEffect, useState } from "react";
import { type CompletionQuery, type FileSuggestion, MAX_SUGGESTIONS, matchingCommands } from "./completion.js";

/** One suggestion of the list. */
export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  /** The text that replaces the word at the caret. */
  readonly text: string;
  readonly file?: FileSuggestion;
}

/** Finds the files that match the text after `@`, best first. `signal` aborts when they are no longer needed. */
export type FindFiles = (
  text: string,
  signal: AbortSignal,
) => readonly FileSuggestion[] | PromiseLike<readonly FileSuggestion[]>;

const none: readonly Suggestion[] = [];

/** Returns the suggestions for the word at the caret. */
export function useSuggestions(
  query: CompletionQuery | undefined,
  commands: readonly AvailableCommand[],
  findFiles: FindFiles | undefined,
): readonly Suggestion[] {
  const [files, setFiles] = useState<readonly Suggestion[]>(none);
  const kind = query?.kind;
  const text = query?.text;
  useEffect(() => {
    if (kind !== "file" || text === undefined || findFiles === undefined) {
      setFiles(none);
      return;
    }
    const control = new AbortController();
    const find = async (): Promise<void> => {
      try {
        const found = await findFiles(text, control.signal);
        if (!control.signal.aborted) setFiles(found.slice(0, MAX_SUGGESTIONS).map(fileSuggestion));
      } catch {
        if (!control.signal.aborted) setFiles(none); // `findFiles` failed: suggest nothing
      }
    };
    void find();
    return () => control.abort();
  }, [kind, text, findFiles]);
  if (kind === "command" && text !== undefined) return matchingCommands(commands, text).map(commandSuggestion);
  return kind === "file" ? files : none;
}

function commandSuggestion({ name, description, input }: AvailableCommand): Suggestion {
  const hint = input != null && "hint" in input ? ` ${String(input.hint)}` : "";
  return { label: `/${name}${hint}`, detail: description, text: `/${name} ` };
}

function fileSuggestion(file: FileSuggestion): Suggestion {
  return { label: file.path, detail: "", text: `@${file.path} `, file };
}
