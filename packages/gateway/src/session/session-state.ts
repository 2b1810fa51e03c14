import { prefixOf } from "@acp-kit/jsonrpc/internal";
import type { Position } from "../engine/journal-page.js";
import type { JournalEntry, Outcome, SessionSetup } from "../journal/journal-entry.js";
import type { KeptHistory } from "../journal/retention.js";
import type { ProtocolVersion } from "../version.js";

/** The maximum number of ended turns whose outcomes the state contains, for repeated prompts. */
const MAX_REMEMBERED_TURNS = 64;
const MAX_OUTCOME_CHARS = 1_000;
/** The maximum length of the JSON of a `state_update`, which contains the list of background work. */
const MAX_ACTIVITY_CHARS = 65_536;
const MAX_STATE_CHARS = 100;
/** The maximum length of a title that a prompt gives the session, in UTF-16 units. */
const MAX_FIRST_LINE_CHARS = 80;
/** The maximum length of a title in the directory of sessions. Clients that are attached receive it as a whole. */
const MAX_TITLE_CHARS = 1_000;

/**
 * The state of a session, without its history. The owner computes the state from the entries of the journal ({@link
 * nextState}) and stores it with each entry that changes it. So the next owner of the session does not have to read the
 * history.
 */
export interface SessionState {
  /** The session id that the agent chose. It differs from the id that clients use. */
  readonly agentSessionId: string;
  /** The version of the protocol that the agent speaks, which is that of `setup`. Absent: 1. */
  readonly version?: 2 | undefined;
  /** Whether an agent of the other version had the session before. */
  readonly hasBothVersions?: true | undefined;
  /** The last `state_update` of an agent of version 2. Absent: it is idle. */
  readonly activity?: Activity | undefined;
  /** The current modes and config options, for responses to load and resume. */
  readonly setup: SessionSetup;
  /** The key of the running turn; `null` if no turn runs. */
  readonly turn: string | null;
  /** The ids of the agent's open requests. */
  readonly requests: readonly string[];
  /** The last ended turns, oldest first. A repeated prompt gets the outcome from this list. */
  readonly ended: readonly (readonly [key: string, outcome: Outcome])[];
  /**
   * Positions before turns that began when no work and no request of an earlier turn was open, oldest first. A client's
   * view of later entries does not depend on the entries before such a position.
   */
  readonly viewStarts?: readonly Position[] | undefined;
  /** The number of started turns. If the number is 0, nothing is lost when an agent can't open the session again. */
  readonly turns: number;
  /** Whether the session has had a title: from the agent, or from a prompt. */
  readonly isTitled: boolean;
  /**
   * The size and age of the journal, without removed turns. `chars` does not count entries after the last change of the
   * state.
   */
  readonly kept: KeptHistory;
  /** The reason why no agent can open the session any more; `null` while an agent can. */
  readonly lost: string | null;
  /**
   * The replica that wrote this state. It still owns the session, unless the session sleeps or its next owner has
   * written nothing yet.
   */
  readonly owner: string;
}

/** A `state_update` of version 2. */
export interface Activity {
  readonly state: string;
  readonly [member: string]: unknown;
}

const nothingKept: KeptHistory = { first: 1, turns: 0, chars: 0, since: null };

/** Returns the state of a session that an agent has just created. @param owner the replica that creates the session. */
export function newState(
  agentSessionId: string,
  setup: SessionSetup,
  owner: string,
  version: ProtocolVersion = 1,
): SessionState {
  const nothing = { turn: null, requests: [], ended: [], turns: 0, isTitled: false, kept: nothingKept, lost: null };
  return { agentSessionId, setup, ...versioned(version), ...nothing, owner };
}

/** The version of an entry or a state, as its member. */
export function versioned(version: ProtocolVersion): { readonly version?: 2 } {
  return version === 2 ? { version } : {};
}

/**
 * Returns the modes, config options and commands in an agent's response to `session/new`, `session/load` or
 * `session/resume`.
 */
export function setupOf(response: unknown): SessionSetup {
  const { modes, configOptions, availableCommands } = (response ?? {}) as SessionSetup;
  return {
    ...(modes != null && { modes }),
    ...(configOptions != null && { configOptions }),
    ...(availableCommands != null && { availableCommands }),
  };
}

/** Whether an agent of version 2 works, according to its last state. */
export function isBusy({ activity }: SessionState): boolean {
  return activity !== undefined && activity.state !== "idle";
}

/** Returns the state after an entry, or the same object if the entry changes nothing. */
export function nextState(before: SessionState, entry: JournalEntry): SessionState {
  const state = before.isTitled || titleOf(before, entry) === undefined ? before : { ...before, isTitled: true };
  switch (entry.type) {
    case "update":
      return entry.method === "session/update" ? withUpdate(state, entry.params.update) : state;
    case "setting_changed":
      return withUpdate(state, entry.update);
    case "turn_started": {
      const kept = { ...state.kept, turns: state.kept.turns + 1, since: state.kept.since ?? entry.at };
      return { ...state, turn: entry.key, turns: state.turns + 1, kept };
    }
    case "turn_ended": {
      const ended = [...state.ended, [entry.key, shortened(entry.outcome)] as const].slice(-MAX_REMEMBERED_TURNS);
      return { ...state, turn: state.turn === entry.key ? null : state.turn, ended };
    }
    case "request_opened":
      return { ...state, requests: [...state.requests, entry.id] };
    case "request_settled":
      return { ...state, requests: state.requests.filter((id) => id !== entry.id) };
    case "prompt_inserted":
      return state;
    case "agent_opened": {
      const { agentSessionId, setup, version } = entry;
      const isChanged = state.turns > 0 && version !== state.version;
      const changed = isChanged && { hasBothVersions: true as const };
      return { ...state, agentSessionId, setup, version, activity: undefined, ...changed };
    }
    case "trimmed": {
      const { first, turns, chars, since } = entry;
      return { ...state, kept: { first, turns, chars, since } };
    }
    case "session_lost":
      return { ...state, lost: entry.message };
  }
}

/**
 * Returns the title that an entry gives to the session, or `undefined` if the entry does not change the title. Until
 * the agent sends a title, the first line of the first prompt with text is the title.
 */
export function titleOf({ isTitled }: SessionState, entry: JournalEntry): string | null | undefined {
  if (entry.type === "turn_started") return isTitled ? undefined : titleFrom(entry.prompt);
  if (entry.type !== "update" || entry.method !== "session/update") return undefined;
  const update = entry.params.update as { readonly sessionUpdate?: unknown; readonly title?: unknown } | null;
  if (update?.sessionUpdate !== "session_info_update") return undefined;
  const { title } = update;
  return typeof title === "string" ? prefixOf(title, MAX_TITLE_CHARS) : title === null ? title : undefined;
}

function titleFrom(prompt: readonly unknown[]): string | undefined {
  for (const block of prompt as readonly ({ readonly text?: unknown } | null)[]) {
    if (typeof block?.text !== "string") continue;
    const start = prefixOf(block.text.trimStart(), MAX_FIRST_LINE_CHARS + 2); // a prompt may be megabytes long
    const line = start.split(/[\r\n]/, 1)[0]?.trimEnd() ?? "";
    if (line !== "") return line.length > MAX_FIRST_LINE_CHARS ? `${prefixOf(line, MAX_FIRST_LINE_CHARS - 1)}…` : line;
  }
  return undefined;
}

function withUpdate(state: SessionState, update: unknown): SessionState {
  if (typeof update !== "object" || update === null) return state;
  const { sessionUpdate, currentModeId, configOptions, availableCommands } = update as Record<string, unknown>;
  const { setup } = state;
  if (state.version === 2 && sessionUpdate === "state_update") return { ...state, activity: activityOf(update) };
  if (state.version === 2 && sessionUpdate === "available_commands_update")
    return { ...state, setup: { ...setup, availableCommands } };
  if (sessionUpdate === "current_mode_update" && typeof setup.modes === "object" && setup.modes !== null)
    return { ...state, setup: { ...setup, modes: { ...setup.modes, currentModeId } } };
  if (sessionUpdate === "config_option_update") return { ...state, setup: { ...setup, configOptions } };
  return state;
}

/** Returns the state of the agent without members that would make the stored state too large. */
function activityOf(update: object): Activity | undefined {
  const { state } = update as { readonly state?: unknown };
  if (typeof state !== "string") return undefined;
  return JSON.stringify(update).length <= MAX_ACTIVITY_CHARS
    ? (update as Activity)
    : { sessionUpdate: "state_update", state: prefixOf(state, MAX_STATE_CHARS) };
}

/**
 * Shortens an outcome. The state is stored with every turn, so large members that an agent adds to its responses are
 * left out.
 */
function shortened(outcome: Outcome): Outcome {
  if (JSON.stringify(outcome).length <= MAX_OUTCOME_CHARS) return outcome;
  if ("error" in outcome) return { error: { code: outcome.error.code, message: prefixOf(outcome.error.message, 500) } };
  return { result: { stopReason: (outcome.result as { readonly stopReason?: unknown } | null)?.stopReason } };
}
