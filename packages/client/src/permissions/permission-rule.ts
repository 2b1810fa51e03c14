import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import type { ClientContext } from "../connect-options.js";
import type { PermissionAnswer } from "./permission-answer.js";
import type { PermissionAuthor, PermissionDecision } from "./permission-decision.js";

/** What a rule knows beside the request. */
export interface PermissionContext extends ClientContext {
  /** Aborts as soon as the request is answered, whoever answered it: by another voter, by a cancelled turn, by the end of the connection. */
  readonly signal: AbortSignal;
  /**
   * Asks the rules before this one again, because something may have been remembered since; resolves with `true` when one of them answered.
   * For rules that let requests wait.
   */
  reconsider(): Promise<boolean>;
}

/** An answer together with who gave it, for rules that answer on behalf of others. */
export interface PermissionVerdict {
  readonly answer: PermissionAnswer;
  readonly by: PermissionAuthor;
}

/**
 * Decides whether a tool call may run, or leaves it to the next rule with `undefined`. What the agent told of the call before is filled in:
 * `request.toolCall` has its kind, title and locations even when the request itself only names the call.
 *
 * It is an async function: were a plain answer allowed too, TypeScript would widen the `"allow_once"` of an async one to `string`.
 */
export type PermissionHandler = (
  request: IncomingRequestPermissionRequest,
  context: PermissionContext,
) => Promise<PermissionAnswer>;

/** A rule with a name for the audit trail, and with a memory if it wants one. */
export interface PermissionDecider {
  readonly name: string;
  decide(
    request: IncomingRequestPermissionRequest,
    context: PermissionContext,
  ): Promise<PermissionAnswer | PermissionVerdict>;
  /** Hears of every decision of its connection, its own included. */
  decided?(decision: PermissionDecision, request: IncomingRequestPermissionRequest, context: ClientContext): void;
}

/** One of the things that decide permission requests: the first that answers wins. */
export type PermissionRule = PermissionHandler | PermissionDecider;
