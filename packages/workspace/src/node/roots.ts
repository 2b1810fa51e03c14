import { resourceNotFound } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";
import type { WorkspaceContext, WorkspaceSession } from "./workspace-context.js";

/** A folder that an agent may use. */
export interface Root {
  /** The absolute path of the folder. If it is a symbolic link, the root is its target at the first use. */
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
 * Returns the root folders that a request may use. If `roots` is `"session"`, the first root is the session's working
 * directory.
 *
 * @throws {RpcError} `-32002` when `roots` is `"session"` and the session is unknown.
 */
export function rootsOf(roots: Roots, sessionId: string, { session }: WorkspaceContext): readonly Root[] {
  if (roots === "session" && session === undefined) {
    throw resourceNotFound(`session ${shorten(sessionId)}`, { sessionId: shorten(sessionId) });
  }
  const all = roots === "session" ? (session?.roots ?? []) : typeof roots === "function" ? roots(session) : roots;
  return all.map((root) => (typeof root === "string" ? { path: root } : root));
}
