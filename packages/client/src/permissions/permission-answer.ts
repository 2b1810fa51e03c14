import type { PermissionOption, PermissionOptionKind, RequestPermissionOutcome } from "@acp-kit/types";

/**
 * The decision of a permission rule: the kind of option to choose (never an index, because agents order options
 * differently), a whole outcome, or `undefined`, which leaves the decision to the next rule.
 */
export type PermissionAnswer = PermissionOptionKind | "cancelled" | RequestPermissionOutcome | undefined;

/** The outcome of a permission request that no rule decided. */
export const cancelledOutcome: RequestPermissionOutcome = { outcome: "cancelled" };

/**
 * Returns the first option of a kind, in the agent's order. If the agent doesn't offer the kind, it returns an option
 * of the weaker kind with the same meaning (`allow_once` for `allow_always`), never of a stronger one.
 */
export function optionOfKind(
  options: readonly PermissionOption[],
  kind: PermissionOptionKind,
): PermissionOption | undefined {
  const weaker = kind === "allow_always" ? "allow_once" : kind === "reject_always" ? "reject_once" : undefined;
  return options.find((option) => option.kind === kind) ?? options.find((option) => option.kind === weaker);
}

/**
 * Converts the decision of a permission rule to an outcome of the protocol. Returns `undefined` if the decision names
 * an option that was not offered.
 */
export function outcomeOf(
  answer: Exclude<PermissionAnswer, undefined>,
  options: readonly PermissionOption[],
): RequestPermissionOutcome | undefined {
  if (answer === "cancelled") return cancelledOutcome;
  if (typeof answer === "string") {
    const option = optionOfKind(options, answer);
    return option && { outcome: "selected", optionId: option.optionId };
  }
  if (answer.outcome !== "selected") return cancelledOutcome;
  return options.some(({ optionId }) => optionId === answer.optionId) ? answer : undefined;
}
