import type { RequestId } from "./message.js";

/**
 * A report of a problem that no call can return: noise on the wire, a handler that failed, a late response. Libraries never
 * write to the console; they report diagnostics instead.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode | (string & {});
  /** One sentence for a human reader. Holds no payloads. */
  readonly message: string;
  readonly method?: string | undefined;
  readonly id?: RequestId | undefined;
  /** The error that caused the problem, with its stack. It is never sent to the peer. */
  readonly cause?: unknown;
  /** Details of the problem: issues of a decoder, an excerpt of the input. */
  readonly data?: unknown;
}

/** The codes of the diagnostics that a {@link Connection} reports itself. */
export type DiagnosticCode =
  | "malformed_input"
  | "invalid_message"
  | "unknown_response"
  | "late_response"
  | "unknown_notification"
  | "invalid_params"
  | "handler_failed"
  | "unserializable"
  | "too_many_requests"
  | "backlog_full"
  | "backlog_dropped"
  | "close_failed"
  | "hook_failed";

/** Receives diagnostics. Errors it throws are ignored. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;
