import { resourceNotFound, shorten } from "@acp-kit/protocol";
import type { WorkspaceContext, WorkspaceSession } from "./workspace-context.js";

/** A directory that an agent may work in. */
export interface Root {
  /** Absolute. It may be a symbolic link: its target at the first use stays the root. */
  readonly path: string;
  /** Files below it can be read, not changed. Where roots are nested, the innermost decides. */
  readonly readOnly?: boolean;
}

/**
 * Where an agent may work: `"session"` for the roots of the request's session, a list for all sessions, or a function of the
 * session.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export type Roots =
  | "session"
  | readonly (string | Root)[]
  | ((session: WorkspaceSession | undefined) => readonly (string | Root)[]);

/**
 * Returns the roots for one request; the working directory comes first for roots of a session.
 *
 * @throws {RpcError} `-32002` when they belong to an unknown session.
 */
export function rootsOf(roots: Roots, sessionId: string, { session }: WorkspaceContext): readonly Root[] {
  if (roots === "session" && session === undefined) {
    throw resourceNotFound(`session ${shorten(sessionId)}`, { sessionId: shorten(sessionId) });
  }
  const all = roots === "session" ? (session?.roots ?? []) : typeof roots === "function" ? roots(session) : roots;
  return all.map((root) => (typeof root === "string" ? { path: root } : root));
}
