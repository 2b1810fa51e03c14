import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hideInText } from "../../hide-secrets.js";
import type { Host } from "../../host.js";
import { stateDirectory } from "../../state-directory.js";

/** How many prompts are kept. */
export const maxHistory = 1000;

/** The prompts of before, on disk: a line of JSON each, for this user's eyes. Without a place to keep them there are none. */
export interface HistoryFile {
  readonly entries: readonly string[];
  /** Keeps a prompt, unless {@link isPrivate}, or it holds a secret that this command line knows. */
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

const secrets = [
  /\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[\w-]{16,}/i, // API keys of many providers
  /\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\bnpm_\w{20,}/,
  /\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{30,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /(?:password|passwd|secret|token|api[_-]?key)["']?\s*[:=]\s*\S+/i,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{16,}/i,
  /:\/\/[^\s/:@]+:[^\s/@]+@/,
];

/** It begins with a space, which is how people tell shells to forget, or it seems to hold a key or a password. */
export function isPrivate(text: string): boolean {
  return /^\s/.test(text) || secrets.some((secret) => secret.test(text));
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

/** What can't be read is not there: a line that was cut off by a crash costs that line. */
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

/** History is a convenience: a full disk must not end a conversation. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // Then it is not kept.
  }
}
