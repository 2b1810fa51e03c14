import type { IncomingRequestPermissionResponse, PermissionOption, PermissionOptionKind } from "@acp-kit/types";

/** The options a permission request offers when the author names none. */
export const defaultPermissionOptions: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** What became of a permission request. */
export interface PermissionOutcome {
  /** The kind of the option the user chose; `cancelled` when none was, or one that was not offered. */
  readonly kind: PermissionOptionKind | "cancelled";
  /** Only this permits the action: `allow_once` or `allow_always` was chosen. */
  readonly allowed: boolean;
  /** The chosen option, among those offered. */
  readonly option: PermissionOption | undefined;
}

/** Reads the client's answer against what was offered: an id that was not offered approves nothing. */
export function decisionOf(
  { outcome }: IncomingRequestPermissionResponse,
  options: readonly PermissionOption[],
): PermissionOutcome {
  const chosen =
    outcome.outcome === "selected" ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
  if (chosen === undefined) return cancelledDecision;
  return { kind: chosen.kind, allowed: chosen.kind === "allow_once" || chosen.kind === "allow_always", option: chosen };
}

/** Nobody chose: the turn was cancelled, or the client is gone. */
export const cancelledDecision: PermissionOutcome = { kind: "cancelled", allowed: false, option: undefined };
