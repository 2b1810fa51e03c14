// #region permissions
import { allowReads, askUser, type ConnectAgentOptions, permissionView, permissionViewText } from "@acp-kit/client";
import type { PermissionOption } from "@acp-kit/types";

/**
 * Shows a dialog of the editor. Resolves with the id of the chosen option, or with `undefined` when the user dismissed
 * it.
 */
export type Ask = (
  question: string,
  options: readonly PermissionOption[],
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Reading inside the session's folders is allowed without a dialog. Every other tool call needs one. */
export function editorPermissions(ask: Ask): NonNullable<ConnectAgentOptions["permissions"]> {
  const user = askUser(async ({ request, options }, { signal }) => {
    const optionId = await ask(permissionViewText(permissionView(request)), options, signal);
    return optionId === undefined ? "reject" : { outcome: "selected", optionId };
  });
  return [allowReads({ within: "session" }), user];
}
// #endregion permissions
