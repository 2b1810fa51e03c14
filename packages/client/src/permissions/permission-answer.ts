import type { PermissionOption, PermissionOptionKind, RequestPermissionOutcome } from "@acp-kit/types";

/**
 * What is decided about a permission request: the kind of option that is chosen (never an index: agents order them as they like), a whole
 * outcome, or nothing, which leaves the decision to the next rule.
 */
export type PermissionAnswer = PermissionOptionKind | "cancelled" | RequestPermissionOutcome | undefined;

/** Nobody decided, or nobody may any more. */
export const cancelledOutcome: RequestPermissionOutcome = { outcome: "cancelled" };

/**
 * The option a kind stands for: the first of that kind, in the agent's order. An agent that doesn't offer the kind gets the weaker one of the
 * same meaning (`allow_once` for `allow_always`), never a stronger one.
 */
export function optionOfKind(
  options: readonly PermissionOption[],
  kind: PermissionOptionKind,
): PermissionOption | undefined {
  const weaker = kind === "allow_always" ? "allow_once" : kind === "reject_always" ? "reject_once" : undefined;
  return options.find((option) => option.kind === kind) ?? options.find((option) => option.kind === weaker);
}

/** Brings an answer to what the wire takes. `undefined` when it names an option that was not offered. */
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
