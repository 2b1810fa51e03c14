import { resourceNotFound, shorten } from "@acp-kit/protocol";
import type { WorkspaceContext, WorkspaceSession } from "./workspace-context.js";

/** A directory that an agent may work in. */
export interface Root {
  /** Absolute. It may be a symbolic link: what it leads to when it is first used is the root from then on. */
  readonly path: string;
  /** Files below it can be read, not changed. Where roots lie in each other, the innermost decides. */
  readonly readOnly?: boolean;
}

/**
 * Where an agent may work: `"session"` for the roots of the session that asks, a list for all sessions, or a function of the session.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export type Roots =
  | "session"
  | readonly (string | Root)[]
  | ((session: WorkspaceSession | undefined) => readonly (string | Root)[]);

/**
 * The roots that hold for one request, the session's working directory first where they are the session's.
 *
 * @throws {RpcError} `-32002` when they are a session's that nobody knows.
 */
export function rootsOf(roots: Roots, sessionId: string, { session }: WorkspaceContext): readonly Root[] {
  if (roots === "session" && session === undefined) {
    throw resourceNotFound(`session ${shorten(sessionId)}`, { sessionId: shorten(sessionId) });
  }
  const all = roots === "session" ? (session?.roots ?? []) : typeof roots === "function" ? roots(session) : roots;
  return all.map((root) => (typeof root === "string" ? { path: root } : root));
}
