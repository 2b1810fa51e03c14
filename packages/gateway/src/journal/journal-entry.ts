import type { ErrorObject } from "@acp-kit/jsonrpc";
import type { Position } from "../engine/journal-page.js";
import type { Cut } from "./retention.js";

/** How a request ended. */
export type Outcome = { readonly result: unknown } | { readonly error: ErrorObject };

/** Params of a message about a session. In the journal, `sessionId` is the gateway's. */
export interface SessionParams {
  readonly sessionId: string;
  readonly [member: string]: unknown;
}

/** What settled a request of the agent: a client, the policy for unattended sessions, a cancelled turn, or the end of agent or replica. */
export type SettledBy = "client" | "policy" | "cancel" | "agent" | "recovery";

/**
 * An entry of a session's journal:
 *
 * - `update`: a notification of the agent about the session, mostly `session/update`.
 * - `turn_started`: the prompt was accepted and goes to the agent, at a moment in milliseconds since 1970; written before the agent receives it, so that it is never sent twice.
 * - `turn_ended`: the turn's response.
 * - `request_opened`: a request of the agent to a client; `to` names the one client that may respond, if it is not any.
 * - `request_settled`: it has its response. Results of file and terminal requests are not journalled.
 * - `setting_changed`: a client changed a setting; the others receive `update`.
 * - `agent_opened`: the agent, started again before the first turn, opened the session under another id of its own.
 * - `trimmed`: entries before `first` are being removed, by the host's retention; what is left, and the last commands of what is not.
 * - `session_lost`: no agent can open the session any more.
 */
export type JournalEntry =
  | { readonly type: "update"; readonly method: string; readonly params: SessionParams }
  | { readonly type: "turn_started"; readonly at: number; readonly key: string; readonly prompt: readonly unknown[] }
  | { readonly type: "turn_ended"; readonly key: string; readonly outcome: Outcome }
  | {
      readonly type: "request_opened";
      readonly id: string;
      readonly method: string;
      readonly params: SessionParams;
      readonly to?: string;
    }
  | { readonly type: "request_settled"; readonly id: string; readonly by: SettledBy; readonly outcome?: Outcome }
  | { readonly type: "setting_changed"; readonly by: string; readonly update: SettingUpdate }
  | { readonly type: "agent_opened"; readonly agentSessionId: string; readonly setup: SessionSetup }
  | ({ readonly type: "trimmed" } & Cut)
  | { readonly type: "session_lost"; readonly message: string };

/** The members of a `session/new` response that clients need again when they load or resume. */
export interface SessionSetup {
  readonly modes?: unknown;
  readonly configOptions?: unknown;
}

/** An update that reports a setting. */
export interface SettingUpdate {
  readonly sessionUpdate: "current_mode_update" | "config_option_update";
  readonly [member: string]: unknown;
}

/** An entry that is durable. */
export interface RecordedEntry extends Position {
  readonly entry: JournalEntry;
  /** The length of its JSON text. */
  readonly chars: number;
}
