import type { AgentConnection, Session } from "@acp-kit/client";

/**
 * The state of the connection of an {@link AgentStore}.
 *
 * - `idle`: the store has not connected yet; on a server this is always the state.
 * - `connecting`: the agent is being started or connected to, and initialized.
 * - `ready`: the agent responds.
 * - `failed`: connecting failed, with `error`.
 * - `closed`: the connection has ended, with the reason in `error`. The store does not reconnect by itself.
 */
export type AgentState =
  | { readonly status: "idle" | "connecting"; readonly agent: undefined; readonly error: undefined }
  | { readonly status: "ready"; readonly agent: AgentConnection; readonly error: undefined }
  | { readonly status: "failed" | "closed"; readonly agent: undefined; readonly error: unknown };

/**
 * The state of a session of an {@link AgentStore}.
 *
 * - `idle`: nothing has opened the session yet; on a server this is always the state.
 * - `opening`: the agent is being connected, or the session created, loaded or resumed.
 * - `ready`: the session is open.
 * - `failed`: opening failed, with `error`.
 */
export type SharedSessionState =
  | { readonly status: "idle" | "opening"; readonly session: undefined; readonly error: undefined }
  | { readonly status: "ready"; readonly session: Session; readonly error: undefined }
  | { readonly status: "failed"; readonly session: undefined; readonly error: unknown };

export const idleAgent: AgentState = { status: "idle", agent: undefined, error: undefined };
export const idleSession: SharedSessionState = { status: "idle", session: undefined, error: undefined };
