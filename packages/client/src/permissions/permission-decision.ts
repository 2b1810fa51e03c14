import type { PermissionOption, RequestPermissionOutcome, ToolKind } from "@acp-kit/types";

/** Who decided a permission request. */
export type PermissionAuthor =
  | { readonly type: "rule"; readonly rule: string }
  | { readonly type: "person"; readonly rule: string; readonly person: string }
  /** The person of that rule did not answer in time. */
  | { readonly type: "timeout"; readonly rule: string; readonly timeoutMs: number }
  | { readonly type: "nobody"; readonly reason: UndecidedReason };

/** Why a permission request was answered `cancelled` though nobody said so. */
export type UndecidedReason =
  /** Every rule left it to the next one. */
  | "no_answer"
  | "turn_cancelled"
  | "turn_ended"
  | "session_closed"
  /** The agent has gone, or was told to. */
  | "connection_closed"
  /** The agent took the request back. */
  | "request_cancelled"
  | "rule_failed"
  /** A rule chose an option that was not offered. */
  | "not_offered";

/** An entry of the audit trail: one for each permission request, light enough to be kept. */
export interface PermissionDecision {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly title: string | undefined;
  readonly kind: ToolKind | undefined;
  /** The paths that the call names, as the agent wrote them. */
  readonly paths: readonly string[];
  readonly outcome: RequestPermissionOutcome;
  /** The option that was chosen. */
  readonly option: PermissionOption | undefined;
  readonly by: PermissionAuthor;
  /** Milliseconds since 1970, as `Date.now()` has them. */
  readonly askedAt: number;
  readonly decidedAt: number;
}
