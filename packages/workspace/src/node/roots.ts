import { resourceNotFound, shorten } from "@acp-kit/protocol";
import type { WorkspaceContext, WorkspaceSession } from "./workspace-context.js";

/** A folder that an agent may use. */
export interface Root {
  /** The absolute path of the folder. If the path is a symbolic link, its target at the first use stays the root. */
  readonly path: string;
  /** Whether files in the folder can only be read. If roots are nested, the innermost root decides. */
  readonly readOnly?: boolean;
}

/**
 * The folders that an agent may use: `"session"` for the folders of the session, a list for all sessions, or a function
 * of the session.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export type Roots =
  | "session"
  | readonly (string | Root)[]
  | ((session: WorkspaceSession | undefined) => readonly (string | Root)[]);

/**
 * Returns the roots for one request. The first root of a session is its working directory.
 *
 * @throws {RpcError} `-32002` when the roots are those of an unknown session.
 */
export function rootsOf(roots: Roots, sessionId: string, { session }: WorkspaceContext): readonly Root[] {
  if (roots === "session" && session === undefined) {
    throw resourceNotFound(`session ${shorten(sessionId)}`, { sessionId: shorten(sessionId) });
  }
  const all = roots === "session" ? (session?.roots ?? []) : typeof roots === "function" ? roots(session) : roots;
  return all.map((root) => (typeof root === "string" ? { path: root } : root));
}
