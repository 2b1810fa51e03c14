import { firstOptionOfKind } from "@acp-kit/protocol/internal";
import type { PermissionOption, PermissionOptionKind, RequestPermissionOutcome } from "@acp-kit/types";

/**
 * The decision of a permission rule: the kind of option to choose (never an index, because agents order options
 * differently), `"reject"` for {@link rejectionOf}, `"cancelled"`, an outcome of the protocol, or `undefined`, which
 * leaves the decision to the next rule. To agents, `cancelled` means that the user cancelled the turn; many then end
 * it.
 */
export type RuleDecision = PermissionOptionKind | "reject" | "cancelled" | RequestPermissionOutcome | undefined;

/** The outcome of a permission request whose turn was cancelled, or that offers no rejection. */
export const cancelledOutcome: RequestPermissionOutcome = { outcome: "cancelled" };

/**
 * Returns the agent's first option of a kind; of several rejections, the mildest (see {@link rejectionOf}). If the
 * agent doesn't offer `allow_always` or `reject_always`, returns an option of the weaker kind, `allow_once` or
 * `reject_once`. It never returns an option of a stronger kind.
 */
export function optionOfKind(
  options: readonly PermissionOption[],
  kind: PermissionOptionKind,
): PermissionOption | undefined {
  const weaker = kind === "allow_always" ? "allow_once" : kind === "reject_always" ? "reject_once" : undefined;
  return firstOptionOfKind(options, kind) ?? (weaker && firstOptionOfKind(options, weaker));
}

/**
 * Returns the mildest rejection that the agent offers: `reject_once`, otherwise `reject_always`, or `undefined` if the
 * agent offers neither. Of two options of one kind, it returns the one that does not also stop the turn, as far as its
 * id and name say.
 */
export function rejectionOf(options: readonly PermissionOption[]): PermissionOption | undefined {
  return firstOptionOfKind(options, "reject_once") ?? firstOptionOfKind(options, "reject_always");
}

/**
 * Converts the decision of a permission rule to an outcome of the protocol. Returns `undefined` if the decision names
 * an option that was not offered.
 */
export function outcomeOf(
  decision: Exclude<RuleDecision, undefined>,
  options: readonly PermissionOption[],
): RequestPermissionOutcome | undefined {
  if (decision === "cancelled") return cancelledOutcome;
  if (decision === "reject") return rejectedOutcome(options);
  if (typeof decision === "string") {
    const option = optionOfKind(options, decision);
    return option && { outcome: "selected", optionId: option.optionId };
  }
  if (decision.outcome !== "selected") return cancelledOutcome;
  return options.some(({ optionId }) => optionId === decision.optionId) ? decision : undefined;
}

/**
 * Returns the outcome of a request that was not allowed: the mildest rejection, or `cancelled` if the agent offers
 * none.
 */
export function rejectedOutcome(options: readonly PermissionOption[]): RequestPermissionOutcome {
  const option = rejectionOf(options);
  return option === undefined ? cancelledOutcome : { outcome: "selected", optionId: option.optionId };
}
