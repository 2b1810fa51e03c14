// #region permissions
import type { PermissionHandler } from "@acp-kit/client";
import type { PermissionOption } from "@acp-kit/types";

/** A dialog of the editor: resolves with the option the user chose, or with nothing when it was dismissed. */
export type Ask = (
  title: string,
  options: readonly PermissionOption[],
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Reading needs no dialog. */
export const allowReads: PermissionHandler = async ({ toolCall }) => {
  return toolCall.kind === "read" ? "allow_once" : undefined; // nothing: the next handler decides
};

/** Everything else does. */
export function askUser(ask: Ask): PermissionHandler {
  return async ({ toolCall, options }, { signal }) => {
    const optionId = await ask(toolCall.title ?? "Allow this?", options, signal);
    return optionId === undefined ? "cancelled" : { outcome: "selected", optionId };
  };
}
// #endregion permissions
