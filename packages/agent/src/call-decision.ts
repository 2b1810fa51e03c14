import type { IncomingRequestPermissionResponse, PermissionOption } from "@acp-kit/types";

/** The default options of a permission request. */
export const defaultPermissionOptions: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** The decision about a tool call: whether it may run, and who decided. */
export interface CallDecision {
  /** Whether the tool call may run. */
  readonly allowed: boolean;
  /**
   * The origin of the decision. `policy`: the policy, without a request; `remembered`: an earlier decision of "always";
   * `user`: the user, in response to a request; `none`: the request was cancelled, the client disconnected, or it chose
   * an option that was not offered.
   */
  readonly by: "policy" | "remembered" | "user" | "none";
  /** The option that the user chose; `undefined` unless `by` is `user`. */
  readonly option: PermissionOption | undefined;
}

/** Reads the client's response to a permission request. */
export function decisionOf(
  { outcome }: IncomingRequestPermissionResponse,
  options: readonly PermissionOption[],
): CallDecision {
  const chosen =
    outcome.outcome === "selected" ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
  if (chosen === undefined) return cancelledDecision;
  return { allowed: chosen.kind === "allow_once" || chosen.kind === "allow_always", by: "user", option: chosen };
}

/**
 * The decision about a permission request for which the user chose no option, for example because the turn was
 * cancelled.
 */
export const cancelledDecision: CallDecision = { allowed: false, by: "none", option: undefined };
