import type { PermissionOption, RequestPermissionOutcome, ToolKind } from "@acp-kit/types";

/** The rule, the user or the deadline that decided a permission request. */
export type PermissionAuthor =
  | { readonly type: "rule"; readonly rule: string }
  | { readonly type: "person"; readonly rule: string; readonly person: string }
  /** The user whom the rule prompted did not decide within `timeoutMs`. */
  | { readonly type: "timeout"; readonly rule: string; readonly timeoutMs: number }
  /**
   * No rule and no user decided. The tool call was rejected or, if its turn, session or connection ended, cancelled.
   */
  | { readonly type: "none"; readonly reason: UndecidedReason };

/** The reason why a permission request was rejected or cancelled without a decision. */
export type UndecidedReason =
  /** No rule decided. */
  | "undecided"
  | "turn_cancelled"
  | "turn_ended"
  | "session_closed"
  /** The agent disconnected, or the client closed the connection. */
  | "connection_closed"
  /** The agent cancelled the request. */
  | "request_cancelled"
  | "rule_failed"
  /** A rule chose an option that was not offered. */
  | "not_offered";

/**
 * The record of one permission request: what was requested, the outcome, and who decided. Each permission request has
 * exactly one record.
 */
export interface PermissionDecision {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly title: string | undefined;
  readonly kind: ToolKind | undefined;
  /** The paths of the tool call, as the agent sent them. */
  readonly paths: readonly string[];
  readonly outcome: RequestPermissionOutcome;
  /** The option that was chosen; `undefined` if the outcome is `cancelled`. */
  readonly option: PermissionOption | undefined;
  readonly by: PermissionAuthor;
  /** The time of the permission request in milliseconds since 1970, as `Date.now()` returns it. */
  readonly requestedAt: number;
  readonly decidedAt: number;
}
