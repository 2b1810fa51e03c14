import { isConnectionError } from "@acp-kit/protocol";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { PermissionOption } from "@acp-kit/types";
import { type CallDecision, cancelledDecision, defaultPermissionOptions } from "./call-decision.js";
import { type PermissionMemory, permissionOptionsFor } from "./permission-memory.js";
import { scopeOfCall } from "./scope-of-call.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/**
 * The decision of a permission policy about a tool call: the call may run (`allow`), the call must not run (`reject`),
 * or the user decides (`ask`).
 */
export type PolicyDecision = "allow" | "reject" | "ask";

/** The agent's policy for tool calls: one decision for all of them, or a function that decides about each. */
export type PermissionPolicy =
  | PolicyDecision
  | ((call: ToolCallHandle) => PolicyDecision | PromiseLike<PolicyDecision>);

/** Options of `turn.permit`. */
export interface PermitOptions {
  /**
   * The name of the set of tool calls to which a decision of "always" applies, such as `edits of /work/a.md`. The
   * options show it to the user, so it must say everything that the decision allows.
   *
   * By default, a decision applies only to the same tool with equal input and the same paths, or without an input to
   * the same paths if the tool call reads, edits or deletes files. If the tool call has neither, no decision is
   * remembered.
   */
  readonly scope?: string;
  /**
   * The options from which the user can choose. By default, there is one of each of the four kinds, or only those for
   * once if no decision would be remembered.
   */
  readonly options?: readonly PermissionOption[];
}

/**
 * Decides whether a tool call may run. It prompts the user only if the policy says `ask` and no decision is remembered
 * for the scope. If the client disconnects or responds with an option that was not offered, the tool call must not run.
 */
export async function permit(
  call: ToolCallHandle,
  policy: PermissionPolicy,
  memory: PermissionMemory,
  given: PermitOptions = {},
): Promise<CallDecision> {
  checkOptions("permit", given, permitKinds);
  const decided = typeof policy === "function" ? await policy(call) : policy;
  if (decided !== "ask") return { allowed: decided === "allow", by: "policy", option: undefined };
  const { scope = scopeOfCall(call) } = given;
  const { options = scope === undefined ? defaultPermissionOptions : permissionOptionsFor(scope) } = given;
  const remembered = scope === undefined ? undefined : memory.find(scope);
  if (remembered !== undefined) return { allowed: remembered.allowed, by: "remembered", option: undefined };
  try {
    const decision = await call.requestPermission(options);
    const kind = decision.option?.kind;
    const isAlways = kind === "allow_always" || kind === "reject_always";
    if (isAlways && scope !== undefined) memory.remember({ scope, allowed: decision.allowed });
    return decision;
  } catch (error) {
    if (isConnectionError(error)) return cancelledDecision;
    throw error;
  }
}

const permitKinds: OptionKinds<PermitOptions> = { scope: "value", options: "value" };
