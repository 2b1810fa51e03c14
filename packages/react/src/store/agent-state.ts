import type { AgentConnection, Session } from "@acp-kit/client";

/**
 * The state of the connection of an {@link AgentStore}.
 *
 * - `idle`: the store has not connected yet. On a server, the state is always `idle`.
 * - `connecting`: the store starts the agent or connects to it, and initializes it.
 * - `ready`: the agent is initialized.
 * - `reconnecting`: the connection is lost, and the client tries to restore it. Calls stay pending, and no update is
 *   lost. The opener of the store has to report this: see {@link ConnectionReport}.
 * - `failed`: the connection could not be opened; `error` is the reason.
 * - `closed`: the connection has ended, with the reason in `error`. The store does not reconnect by itself.
 */
export type AgentState =
  | { readonly status: "idle" | "connecting"; readonly agent: undefined; readonly error: undefined }
  | { readonly status: "ready" | "reconnecting"; readonly agent: AgentConnection; readonly error: undefined }
  | { readonly status: "failed" | "closed"; readonly agent: undefined; readonly error: unknown };

/**
 * The state of a session of an {@link AgentStore}.
 *
 * - `idle`: no component has opened the session yet, the session was closed, or the connection has ended. On a server,
 *   the state is always `idle`.
 * - `opening`: the store connects to the agent, or creates, loads or resumes the session.
 * - `ready`: the session is open.
 * - `failed`: the session could not be opened; `error` is the reason.
 */
export type SharedSessionState =
  | { readonly status: "idle" | "opening"; readonly session: undefined; readonly error: undefined }
  | { readonly status: "ready"; readonly session: Session; readonly error: undefined }
  | { readonly status: "failed"; readonly session: undefined; readonly error: unknown };

export const idleAgent: AgentState = { status: "idle", agent: undefined, error: undefined };
export const idleSession: SharedSessionState = { status: "idle", session: undefined, error: undefined };
