import type { IncomingRequestPermissionRequest } from "@acp-kit/types";
import type { ClientContext } from "../client-context.js";
import type { PermissionAuthor, PermissionDecision } from "./permission-decision.js";
import type { RuleDecision } from "./rule-decision.js";

/** The second argument of a permission rule. */
export interface PermissionContext extends ClientContext {
  /**
   * A signal that aborts when the permission request is settled: by a decision, a cancelled turn or the end of the
   * connection.
   */
  readonly signal: AbortSignal;
  /**
   * Runs the permission rules before this one again, and resolves with `true` if one of them decided. A rule in which a
   * request had to wait, such as `askUser`, calls this method, because an earlier rule may have remembered a decision
   * since the request arrived.
   */
  reconsider(): Promise<boolean>;
}

/**
 * A decision about a permission request, and who made it. A rule returns this object if the decision is not its own:
 * for example, `askUser` returns the user's decision and names the user.
 */
export interface AttributedDecision {
  readonly decision: RuleDecision;
  readonly by: PermissionAuthor;
}

/**
 * A function that decides whether a tool call may run, or returns `undefined` to leave the decision to the next rule.
 * `request.toolCall` has the kind, title and locations that the agent sent earlier, even if the permission request
 * itself contains only the id of the tool call.
 *
 * The function must return a promise. If the type also allowed a plain result, TypeScript would infer `string` for an
 * async arrow function that returns `"allow_once"`. For the same reason, a declared function that returns such a
 * literal needs a return type: `async function rule(): Promise<RuleDecision>`.
 */
export type DecidePermission = (
  request: IncomingRequestPermissionRequest,
  context: PermissionContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return statement leaves the decision to the next rule
) => Promise<RuleDecision | AttributedDecision | void>;

/** A permission rule with a name, which permission decisions contain. */
export interface NamedPermissionRule {
  readonly name: string;
  readonly decide: DecidePermission;
  /** Receives every permission decision of the rule's connection, including its own decisions. */
  onDecision?(decision: PermissionDecision, request: IncomingRequestPermissionRequest, context: ClientContext): void;
}

/** A rule that decides permission requests. A client runs its rules in order; the first one that decides wins. */
export type PermissionRule = DecidePermission | NamedPermissionRule;
