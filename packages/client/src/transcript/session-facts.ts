import type { IncomingSessionUpdate, KnownSessionUpdate } from "@acp-kit/types";
import type { TranscriptSnapshot } from "./transcript-snapshot.js";
import type { Draft } from "./writable.js";

/** The kinds of updates that are not entries of a transcript: they contain the current state of the session. */
const factKinds = [
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "usage_update",
] as const;

/** An update of the session's state, which is not an entry of the transcript. */
export type SessionFact = Extract<KnownSessionUpdate, { sessionUpdate: (typeof factKinds)[number] }>;

/** Returns whether an update only changes the session's state and adds no entry to the transcript. */
export function isSessionFact(update: IncomingSessionUpdate): update is SessionFact {
  return (factKinds as readonly string[]).includes(update.sessionUpdate);
}

/** Applies an update to those members of a snapshot that hold the state of the session. */
export function applySessionUpdate(next: Draft<TranscriptSnapshot>, update: SessionFact): void {
  switch (update.sessionUpdate) {
    case "available_commands_update":
      next.commands = update.availableCommands;
      break;
    case "current_mode_update":
      next.modes = { availableModes: next.modes?.availableModes ?? [], currentModeId: update.currentModeId };
      break;
    case "config_option_update":
      next.configOptions = update.configOptions;
      break;
    case "session_info_update":
      patch(next, "title", update.title);
      patch(next, "updatedAt", update.updatedAt);
      break;
    case "usage_update": {
      const { used, size, cost } = update;
      next.usage = { ...next.usage, context: { used, size }, ...(cost != null && { cost }) };
      break;
    }
    default:
      update satisfies never;
  }
}

/**
 * Sets a member; `null` removes it, and `undefined` keeps it. In the protocol, only `session_info_update` and
 * compactions distinguish `null` from an absent member.
 */
function patch(next: Draft<TranscriptSnapshot>, name: "title" | "updatedAt", value: string | null | undefined): void {
  if (value === null) delete next[name];
  else if (value !== undefined) next[name] = value;
}
