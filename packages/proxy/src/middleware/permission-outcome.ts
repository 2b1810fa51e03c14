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
  return selected(firstOf(options, "reject_once") ?? firstOf(options, "reject_always")) ?? cancelled;
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
    return selected(firstOf(options, decision) ?? (weaker && firstOf(options, weaker)));
  }
  if (decision.outcome !== "selected") return cancelled;
  return options.some(({ optionId }) => optionId === decision.optionId) ? decision : undefined;
}

function selected(option: PermissionOption | undefined): RequestPermissionOutcome | undefined {
  return option && { outcome: "selected", optionId: option.optionId };
}

/** The words of options that do more than reject one tool call. */
const harsh = /abort|cancel|stop|quit|interrupt|always|never/i;

function firstOf(options: readonly PermissionOption[], kind: PermissionOptionKind): PermissionOption | undefined {
  const fitting = options.filter((option) => option.kind === kind);
  if (!kind.startsWith("reject")) return fitting[0];
  return fitting.find(({ optionId, name }) => !harsh.test(`${optionId} ${name}`.slice(0, 500))) ?? fitting[0];
}
