import type { RequestId } from "./message.js";

/**
 * A report of a problem that no call can return, such as a line that is not JSON, a handler that failed, or a late
 * response. The libraries report diagnostics and never write to the console.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode | (string & {});
  /** A sentence that describes the problem. It never contains the content of messages. */
  readonly message: string;
  readonly method?: string | undefined;
  readonly id?: RequestId | undefined;
  /** The error that caused the problem, with its stack. The error is never sent to the peer. */
  readonly cause?: unknown;
  /** Details of the problem, such as the issues that a decoder found, or an excerpt of the input. */
  readonly data?: unknown;
}

/** The codes of the diagnostics that a {@link Connection} itself reports. */
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
  | "backlog_dropped"
  | "close_failed"
  | "hook_failed";

/** A function that receives diagnostics. Errors that it throws are ignored. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;
