import type { FaultKind, Record as Log } from "./record.js";
import type { SentPrompt } from "./sim-client.js";

/** How long after a fault a turn may fail because of it, in milliseconds. */
const FAULT_MS = 10_000;

/** The faults that explain an error of a prompt. Every other error is a problem. */
const explanations: Readonly<Record<string, readonly FaultKind[]>> = {
  turn_interrupted: ["replica", "engine", "full"],
  agent_failed: ["agent", "replica", "engine", "full"],
};

/** What the checks know about a session of a failed prompt. */
export interface FailedIn {
  /** The time at which the journal recorded the end of the turn, if it is known. */
  readonly endedAt: number | undefined;
  /** The times at which entries of the session were removed. */
  readonly trimmedAt: readonly number[];
  /** Whether single calls of the engine that fail may cost an owner its lease. */
  readonly losesLeases: boolean;
}

/** Whether a fault explains the error with which a prompt settled. */
export function isExplained(
  log: Log,
  prompt: SentPrompt,
  reason: string,
  { endedAt, trimmedAt, losesLeases }: FailedIn,
): boolean {
  const { at, settledAt = at } = prompt;
  if (reason === "engine_unavailable") return log.hasFault(["replica", "engine", "full", "calls"], at, settledAt);
  if (reason === "cursor_expired") return trimmedAt.some((time) => time <= settledAt);
  const kinds = explanations[reason];
  if (kinds === undefined) return false;
  const all: readonly FaultKind[] = losesLeases ? [...kinds, "calls"] : kinds;
  return log.hasFault(all, endedAt ?? at, endedAt ?? settledAt, FAULT_MS);
}
