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

/** A decision together with its author, for rules that decide on behalf of others. */
export interface PermissionVerdict {
  readonly answer: PermissionAnswer;
  readonly by: PermissionAuthor;
}

/** What a permission rule resolves with: its decision, or nothing, which leaves the decision to the next rule. */
// biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return statement leaves every decision
export type PermissionResult = PermissionAnswer | PermissionVerdict | void;

/**
 * Decides whether a tool call may run, or leaves it to the next rule by returning nothing. `request.toolCall` has the kind, title and locations
 * that the agent sent before, even when the request itself only names the call.
 *
 * It is an async function: if a plain result were allowed too, TypeScript would widen the `"allow_once"` of an async arrow to `string`. For the
 * same reason a declared function that returns one kind names its type: `async function rule(): Promise<PermissionAnswer>`.
 */
export type PermissionHandler = (
  request: IncomingRequestPermissionRequest,
  context: PermissionContext,
) => Promise<PermissionResult>;

/** A rule with a name for the audit trail, and with a memory if it wants one. */
export interface PermissionDecider {
  readonly name: string;
  decide(request: IncomingRequestPermissionRequest, context: PermissionContext): Promise<PermissionResult>;
  /** Receives every decision of its connection, its own included. */
  decided?(decision: PermissionDecision, request: IncomingRequestPermissionRequest, context: ClientContext): void;
}

/** A rule for permission requests: the first rule of a client that decides wins. */
export type PermissionRule = PermissionHandler | PermissionDecider;
