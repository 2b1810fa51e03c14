import type { IncomingRequestPermissionResponse, PermissionOption, PermissionOptionKind } from "@acp-kit/types";

/** The default options of a permission request. */
export const defaultPermissionOptions: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** The outcome of a permission request, as agent code uses it. */
export interface PermissionOutcome {
  /** The kind of the option that the user chose; `cancelled` if the user chose no option or an option that was not offered. */
  readonly kind: PermissionOptionKind | "cancelled";
  /** Whether the tool call may run: `true` only if the user chose `allow_once` or `allow_always`. */
  readonly allowed: boolean;
  /** The option that the user chose; `undefined` if `kind` is `cancelled`. */
  readonly option: PermissionOption | undefined;
}

/** Reads the client's response to a permission request. An option id that was not offered is read as `cancelled`. */
export function decisionOf(
  { outcome }: IncomingRequestPermissionResponse,
  options: readonly PermissionOption[],
): PermissionOutcome {
  const chosen =
    outcome.outcome === "selected" ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
  if (chosen === undefined) return cancelledDecision;
  return { kind: chosen.kind, allowed: chosen.kind === "allow_once" || chosen.kind === "allow_always", option: chosen };
}

/**
 * The outcome of a permission request for which the user chose no option, because the turn was cancelled or the client
 * disconnected.
 */
export const cancelledDecision: PermissionOutcome = { kind: "cancelled", allowed: false, option: undefined };
