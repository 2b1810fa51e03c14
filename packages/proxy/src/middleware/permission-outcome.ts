import { firstOptionOfKind } from "@acp-kit/protocol/internal";
import type { PermissionOption, PermissionOptionKind, RequestPermissionOutcome } from "@acp-kit/types";

/** The decision of a permission rule, as in the option `permissions` of a client. */
export type ProxyPermissionDecision =
  | PermissionOptionKind
  | "reject"
  | "cancelled"
  | RequestPermissionOutcome
  | undefined;

const cancelled: RequestPermissionOutcome = { outcome: "cancelled" };

/** Returns the mildest rejection that the agent offers, or `cancelled` if it offers none. */
export function rejectedOutcome(options: readonly PermissionOption[]): RequestPermissionOutcome {
  return (
    selected(firstOptionOfKind(options, "reject_once") ?? firstOptionOfKind(options, "reject_always")) ?? cancelled
  );
}

/**
 * Converts a decision to an outcome of the protocol; `undefined` if the agent does not offer what was decided. An
 * option of a kind is never replaced by a stronger kind.
 */
export function outcomeOf(
  decision: Exclude<ProxyPermissionDecision, undefined>,
  options: readonly PermissionOption[],
): RequestPermissionOutcome | undefined {
  if (decision === "cancelled") return cancelled;
  if (decision === "reject") return rejectedOutcome(options);
  if (typeof decision === "string") {
    const weaker =
      decision === "allow_always" ? "allow_once" : decision === "reject_always" ? "reject_once" : undefined;
    return selected(firstOptionOfKind(options, decision) ?? (weaker && firstOptionOfKind(options, weaker)));
  }
  if (decision.outcome !== "selected") return cancelled;
  return options.some(({ optionId }) => optionId === decision.optionId) ? decision : undefined;
}

function selected(option: PermissionOption | undefined): RequestPermissionOutcome | undefined {
  return option && { outcome: "selected", optionId: option.optionId };
}
