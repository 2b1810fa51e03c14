import type { ErrorObject } from "@acp-kit/jsonrpc/internal";

/** The outcome of a request. */
export type Outcome = { readonly result: unknown } | { readonly error: ErrorObject };

/**
 * Params of a message about a session. In the journal, `sessionId` is the session id of the gateway, not that of the
 * agent.
 */
export interface SessionParams {
  readonly sessionId: string;
  readonly [member: string]: unknown;
}

/**
 * The cause that settled a request of the agent: a client, the policy for unattended sessions, a cancelled turn, or the
 * end of the agent or replica.
 */
export type SettledBy = "client" | "policy" | "cancel" | "agent" | "recovery";

/**
 * The version of the protocol in which an entry has the values of the agent. Absent: 1. The values of clients are in
 * the version of the agent, too.
 */
interface InVersion {
  readonly version?: 2 | undefined;
}

/**
 * An entry of a session's journal:
 *
 * - `update`: a notification of the agent about the session, mostly `session/update`.
 * - `turn_started`: the prompt was accepted, `at` milliseconds since 1970. It is written before the agent receives the
 *   prompt, so that no prompt is sent twice.
 * - `prompt_inserted`: the agent's response to a prompt in version 2, where it is not the end of the turn.
 * - `turn_ended`: the turn's response. `started: false` for a prompt that was dropped from the queue or whose agent did
 *   not start.
 * - `request_opened`: a request of the agent to a client. If only one client may respond, `to` is its id.
 * - `request_settled`: the response to a request of the agent. Results of file and terminal requests are not
 *   journalled.
 * - `setting_changed`: a client changed a setting; the other clients receive `update`.
 * - `agent_opened`: the agent was started again before the first turn, and opened the session with another agent
 *   session id.
 * - `trimmed`: retention removes the entries before `first`. The entry contains the counts of the kept history and the
 *   last commands of the removed part.
 * - `session_lost`: no agent can open the session any more.
 */
export type JournalEntry =
  | (InVersion & { readonly type: "update"; readonly method: string; readonly params: SessionParams })
  | (InVersion & {
      readonly type: "turn_started";
      readonly at: number;
      readonly key: string;
      readonly prompt: readonly unknown[];
    })
  | { readonly type: "prompt_inserted"; readonly key: string; readonly result: unknown }
  | { readonly type: "turn_ended"; readonly key: string; readonly outcome: Outcome; readonly started?: false }
  | (InVersion & {
      readonly type: "request_opened";
      readonly id: string;
      readonly method: string;
      readonly params: SessionParams;
      readonly to?: string;
    })
  | { readonly type: "request_settled"; readonly id: string; readonly by: SettledBy; readonly outcome?: Outcome }
  | (InVersion & { readonly type: "setting_changed"; readonly by: string; readonly update: SettingUpdate })
  | (InVersion & { readonly type: "agent_opened"; readonly agentSessionId: string; readonly setup: SessionSetup })
  | ({ readonly type: "trimmed" } & Cut)
  | { readonly type: "session_lost"; readonly message: string };

/** A notification of the agent. */
export type UpdateEntry = Extract<JournalEntry, { type: "update" }>;

/** A request of an agent that a client may respond to. */
export type OpenedRequest = Extract<JournalEntry, { type: "request_opened" }>;

/** The members of a `session/new` response that clients need again when they load or resume. */
export interface SessionSetup {
  readonly modes?: unknown;
  readonly configOptions?: unknown;
  /** In version 2: the slash commands. */
  readonly availableCommands?: unknown;
}

/** An update that reports a setting. */
export interface SettingUpdate {
  readonly sessionUpdate: "current_mode_update" | "config_option_update";
  readonly [member: string]: unknown;
}

/** The first entry to keep, and the size of the remaining journal. */
export interface Cut {
  readonly first: number;
  readonly turns: number;
  readonly chars: number;
  readonly since: number | null;
  /**
   * A list of commands in the removed entries, for clients that load the session. A kept entry may contain a newer
   * list.
   */
  readonly commands?: CommandList;
}

/** The agent's update with its list of slash commands. */
export interface CommandList {
  readonly update: unknown;
  /** The number of the entry with the update. Of several lists, that with the highest number is the newest. */
  readonly seq: number;
  /** The version of the update. Absent: 1. */
  readonly version?: 2 | undefined;
}
