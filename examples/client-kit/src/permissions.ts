// #region permissions
import {
  type AskUser,
  allow,
  allowReads,
  askUser,
  type PermissionRule,
  reject,
  rememberDecisions,
} from "@acp-kit/client";

/** The rules are tried from top to bottom; the first rule that decides is used. */
export function permissionsFor(user: AskUser): PermissionRule[] {
  return [
    reject({ touching: [".git", ".env"] }),
    rememberDecisions(), // "always", until the session ends
    allowReads({ within: "session" }),
    allow({ names: ["edit_file"], within: ["/tmp/drafts"] }, { name: "drafts" }),
    user,
  ];
}

/**
 * Opens no dialog for a permission request. A user interface shows the requests in `user.questions`, and decides them.
 */
export const user: AskUser = askUser({}, { timeoutMs: 10 * 60_000 });
// #endregion permissions
