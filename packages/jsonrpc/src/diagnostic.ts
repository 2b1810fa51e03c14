import type { RequestId } from "./message.js";

/**
 * Something worth a log line that nobody is waiting for: noise on the wire, a handler that failed, an answer that came too late.
 * Libraries never write to the console; this is where they speak instead.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode | (string & {});
  /** One sentence for a person. Holds no payloads. */
  readonly message: string;
  readonly method?: string | undefined;
  readonly id?: RequestId | undefined;
  /** The error behind it, complete with its stack. It never crosses the wire. */
  readonly cause?: unknown;
  /** What the diagnostic is about, where a sentence can't hold it: issues of a decoder, an excerpt of the input. */
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

/** Receives diagnostics. What it throws is ignored. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;
