import type { PermissionOption, PermissionOptionKind, RequestPermissionOutcome } from "@acp-kit/types";

/**
 * The decision of a permission rule: the kind of option to choose (never an index, because agents order options
 * differently), `"cancelled"`, an outcome of the protocol, or `undefined`, which leaves the decision to the next rule.
 */
export type PermissionAnswer = PermissionOptionKind | "cancelled" | RequestPermissionOutcome | undefined;

/** The outcome of a permission request that no rule decided. */
export const cancelledOutcome: RequestPermissionOutcome = { outcome: "cancelled" };

/**
 * Returns the agent's first option of a kind. If the agent doesn't offer `allow_always` or `reject_always`, returns an
 * option of the weaker kind, `allow_once` or `reject_once`. It never returns an option of a stronger kind.
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
