import type { SessionInfo } from "@acp-kit/types";
import type { EverythingLogEntry } from "./session-store.js";
import { defaultSettings, type Settings } from "./settings.js";

/** The current state of a session, derived from its log. */
export interface SessionSummary {
  readonly info: SessionInfo & { readonly updatedAt: string };
  readonly settings: Settings;
  /** The number of prompts so far, including refused prompts. */
  readonly turns: number;
}

/** Derives the state of a session from its log. Returns `undefined` for the log of an unknown session. */
export function summaryOf(sessionId: string, log: readonly EverythingLogEntry[]): SessionSummary | undefined {
  const [first] = log;
  if (first?.type !== "session") return undefined;
  let title: string | null = null;
  let updatedAt = first.at;
  let settings = defaultSettings;
  let turns = 0;
  for (const entry of log) {
    if ("at" in entry) updatedAt = entry.at;
    if (entry.type === "title") title = entry.title;
    else if (entry.type === "settings") settings = entry.settings;
    else if (entry.type === "prompt") turns += 1;
  }
  const { cwd, additionalDirectories } = first;
  const roots = additionalDirectories.length > 0 && { additionalDirectories: [...additionalDirectories] };
  return { info: { sessionId, cwd, ...roots, ...(title !== null && { title }), updatedAt }, settings, turns };
}
