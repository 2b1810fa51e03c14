import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@acp-kit/redact";
import { hideInText } from "../../hide-secrets.js";
import type { Host } from "../../host.js";
import { stateDirectory } from "../../state-directory.js";

/** Maximum number of stored prompts. */
export const maxHistory = 1000;

/** The file of previous prompts, one JSON string a line, for this user only. Empty if it can't be written. */
export interface HistoryFile {
  readonly entries: readonly string[];
  /** Stores a prompt, unless it is private ({@link isPrivate}) or contains a secret that the redactor knows. */
  add(text: string): void;
}

export function openHistory(host: Pick<Host, "env" | "redactor">): HistoryFile {
  const { env } = host;
  const directory = stateDirectory("chat", env);
  if (directory === undefined) return { entries: [], add: () => {} };
  const path = join(directory, "history.jsonl");
  const entries = read(path);
  if (entries.length > maxHistory) {
    entries.splice(0, entries.length - maxHistory);
    quietly(() => writeFileSync(path, entries.map(lineOf).join(""), { mode: 0o600 }));
  }
  return {
    entries,
    add(text) {
      if (!isPrivate(text) && hideInText(text, host) === text)
        quietly(() => appendFileSync(path, lineOf(text), { mode: 0o600 }));
    },
  };
}

/** Whether a prompt must not be stored: it begins with a space, as in shells, or may contain a key or password. */
export function isPrivate(text: string): boolean {
  return /^\s/.test(text) || createRedactor().redactText(text) !== text;
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

/** Reads the file. Skips invalid lines, such as a line that is incomplete after a crash. */
function read(path: string): string[] {
  let content = "";
  quietly(() => {
    content = readFileSync(path, "utf8");
  });
  return content.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === "string" ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** Runs an action and ignores its error, because a full disk must not end a conversation. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // The prompt isn't stored.
  }
}
