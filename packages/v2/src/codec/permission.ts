import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";

const v1Kinds: ReadonlySet<unknown> = new Set<v1.PermissionOptionKind>([
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
]);

/**
 * Converts the options of a permission request of version 2. Options of an unknown kind are left out: a rule or a user
 * interface of version 1 could take such an option for an approval.
 *
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls#requesting-permission
 */
export function permissionOptionsToV1(options: readonly v2.PermissionOption[], lost: Lost): v1.PermissionOption[] {
  const known = options.filter(({ kind }) => v1Kinds.has(kind)) as v1.PermissionOption[];
  if (known.length < options.length) lost("permission_option");
  return known;
}

/**
 * Returns the outcome to send to the agent; the outcomes that both versions have are equal. An unknown outcome, or the
 * choice of an option that was not offered, is no approval, so it becomes `cancelled`.
 */
export function permissionOutcome(
  outcome: { readonly outcome: string; readonly optionId?: unknown },
  offered: readonly { readonly optionId: string }[],
): v1.RequestPermissionOutcome {
  const isOffered = outcome.outcome === "selected" && offered.some(({ optionId }) => optionId === outcome.optionId);
  return isOffered ? (outcome as v1.RequestPermissionOutcome) : { outcome: "cancelled" };
}

/**
 * Returns the title of a permission request of version 2, where it is required. In version 1 only the tool call has a
 * title.
 *
 * @param known the title that the agent has sent for this tool call before.
 */
export function permissionTitle({ title, kind }: v1.IncomingToolCallUpdate, known: string | undefined): string {
  return title || known || (kind ? `Permission for a tool call: ${kind}` : "Permission");
}
