import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import type { ClientContext } from "../connect-options.js";
import type { PermissionAnswer } from "./permission-answer.js";
import type { PermissionAuthor, PermissionDecision } from "./permission-decision.js";

/** The context of a permission request, passed to rules after the request. */
export interface PermissionContext extends ClientContext {
  /** Aborts as soon as the request is settled: by a decision, a cancelled turn or the end of the connection. */
  readonly signal: AbortSignal;
  /**
   * Runs the rules before this one again, because they may have remembered a choice meanwhile; resolves with `true` if one of them decided.
   * For rules that let requests wait.
   */
  reconsider(): Promise<boolean>;
}

/** A decision together with its author, for rules that decide on behalf of others. */
export interface PermissionVerdict {
  readonly answer: PermissionAnswer;
  readonly by: PermissionAuthor;
}

/** The result of a permission rule: its decision, or `undefined`, which leaves the decision to the next rule. */
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

/** A rule with a name for the audit trail. */
export interface PermissionDecider {
  readonly name: string;
  decide(request: IncomingRequestPermissionRequest, context: PermissionContext): Promise<PermissionResult>;
  /** Receives every decision of its connection, its own included. */
  onDecision?(decision: PermissionDecision, request: IncomingRequestPermissionRequest, context: ClientContext): void;
}

/** A rule for permission requests: the first rule of a client that decides wins. */
export type PermissionRule = PermissionHandler | PermissionDecider;
