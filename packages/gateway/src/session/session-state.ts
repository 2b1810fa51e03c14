import type { JournalEntry, Outcome, SessionSetup } from "../journal/journal-entry.js";
import type { KeptHistory } from "../journal/retention.js";

/** Turns whose outcome a retry can still find by its key. */
const MAX_REMEMBERED_TURNS = 64;
const MAX_OUTCOME_CHARS = 1_000;

/**
 * What the owner of a session knows of it, apart from its history. It is the fold of the journal ({@link nextState}), and
 * stored with each entry that changes it, so that the next owner needs to read no history.
 */
export interface SessionState {
  /** The session's id at its agent; not the id that clients use. */
  readonly agentSessionId: string;
  /** What responses to load and resume contain: modes and config options of now. */
  readonly setup: SessionSetup;
  /** The key of the turn that has started and not ended. */
  readonly turn: string | null;
  /** The open requests of the agent. */
  readonly requests: readonly string[];
  /** The turns that ended last, oldest first: a prompt that is sent again finds its outcome here. */
  readonly ended: readonly (readonly [key: string, outcome: Outcome])[];
  /** Turns that were started. An agent that can't open a session again has lost nothing before the first. */
  readonly turns: number;
  /** What the journal holds, without the turns that retention has removed. `chars` are as of the entry that changed the state last. */
  readonly kept: KeptHistory;
  /** Why no agent can open the session any more. */
  readonly lost: string | null;
}

const nothingKept: KeptHistory = { first: 1, turns: 0, chars: 0, since: null };

/** The state of a session that an agent has just created. */
export function newState(agentSessionId: string, setup: SessionSetup): SessionState {
  return { agentSessionId, setup, turn: null, requests: [], ended: [], turns: 0, kept: nothingKept, lost: null };
}

/** The modes and config options in an agent's response to `session/new`, load or resume. */
export function setupOf(response: unknown): SessionSetup {
  const { modes, configOptions } = (response ?? {}) as SessionSetup;
  return { ...(modes != null && { modes }), ...(configOptions != null && { configOptions }) };
}

/** The state behind an entry; the same object if the entry changes nothing. */
export function nextState(state: SessionState, entry: JournalEntry): SessionState {
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
    case "agent_opened":
      return { ...state, agentSessionId: entry.agentSessionId, setup: entry.setup };
    case "trimmed": {
      const { first, turns, chars, since } = entry;
      return { ...state, kept: { first, turns, chars, since } };
    }
    case "session_lost":
      return { ...state, lost: entry.message };
  }
}

/** The title that an entry gives the session; `undefined` if none. */
export function titleOf(entry: JournalEntry): string | null | undefined {
  if (entry.type !== "update" || entry.method !== "session/update") return undefined;
  const update = entry.params.update as { readonly sessionUpdate?: unknown; readonly title?: unknown } | null;
  if (update?.sessionUpdate !== "session_info_update") return undefined;
  return typeof update.title === "string" || update.title === null ? update.title : undefined;
}

function withUpdate(state: SessionState, update: unknown): SessionState {
  if (typeof update !== "object" || update === null) return state;
  const { sessionUpdate, currentModeId, configOptions } = update as Record<string, unknown>;
  const { setup } = state;
  if (sessionUpdate === "current_mode_update" && typeof setup.modes === "object" && setup.modes !== null)
    return { ...state, setup: { ...setup, modes: { ...setup.modes, currentModeId } } };
  if (sessionUpdate === "config_option_update") return { ...state, setup: { ...setup, configOptions } };
  return state;
}

/** The state is stored with every turn: what an agent adds to its responses must not make it large. */
function shortened(outcome: Outcome): Outcome {
  if (JSON.stringify(outcome).length <= MAX_OUTCOME_CHARS) return outcome;
  if ("error" in outcome) return { error: { code: outcome.error.code, message: outcome.error.message.slice(0, 500) } };
  return { result: { stopReason: (outcome.result as { readonly stopReason?: unknown } | null)?.stopReason } };
}
