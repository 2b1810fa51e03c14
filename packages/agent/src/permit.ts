import { checkOptions, isConnectionError, type OptionKinds } from "@acp-kit/protocol";
import type { PermissionOption } from "@acp-kit/types";
import type { PermissionOutcome } from "./permission.js";
import { type PermissionMemory, permissionOptionsFor } from "./permission-memory.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/**
 * The decision of a permission policy about a tool call: the call may run (`allow`), the call must not run (`deny`), or
 * the user decides (`ask`).
 */
export type PermissionBehavior = "allow" | "deny" | "ask";

/** The agent's policy for tool calls: one behavior for all of them, or a function that decides about each. */
export type PermissionPolicy =
  | PermissionBehavior
  | ((call: ToolCallHandle) => PermissionBehavior | PromiseLike<PermissionBehavior>);

/** Options of `turn.permit`. */
export interface PermitOptions {
  /**
   * The name of the set of tool calls to which a choice of "always" applies. The options show it to the user. By
   * default, it is the name of the tool or, if the tool call has none, its kind.
   */
  readonly scope?: string;
  /** The options from which the user can choose. By default, there is one of each of the four kinds. */
  readonly options?: readonly PermissionOption[];
}

/** The result of `turn.permit`: whether the tool call may run, and the reason. */
export interface Permit {
  /** Whether the tool call may run. */
  readonly allowed: boolean;
  /**
   * The origin of the decision. `policy`: the policy, without a request; `remembered`: an earlier choice of "always";
   * `user`: the user, in response to a request; `none`: the request was cancelled, or the client disconnected.
   */
  readonly by: "policy" | "remembered" | "user" | "none";
}

/**
 * Decides whether a tool call may run. It prompts the user only if the policy says `ask` and no choice is remembered
 * for the scope. If the client disconnects or responds with an option that was not offered, the tool call must not run.
 */
export async function permit(
  call: ToolCallHandle,
  policy: PermissionPolicy,
  memory: PermissionMemory,
  given: PermitOptions = {},
): Promise<Permit> {
  checkOptions("permit", given, permitKinds);
  const { scope = call.name ?? call.kind ?? "other", options = permissionOptionsFor(scope) } = given;
  const behavior = typeof policy === "function" ? await policy(call) : policy;
  if (behavior !== "ask") return { allowed: behavior === "allow", by: "policy" };
  const remembered = memory.find(scope);
  if (remembered !== undefined) return { allowed: remembered.allowed, by: "remembered" };
  const { allowed, kind } = await promptUser(call, options);
  if (kind === "allow_always" || kind === "reject_always") memory.remember({ scope, allowed });
  return { allowed, by: kind === "cancelled" ? "none" : "user" };
}

const permitKinds: OptionKinds<PermitOptions> = { scope: "value", options: "value" };

async function promptUser(
  call: ToolCallHandle,
  options: readonly PermissionOption[],
): Promise<Pick<PermissionOutcome, "allowed" | "kind">> {
  try {
    return await call.requestPermission(options);
  } catch (error) {
    if (isConnectionError(error)) return { allowed: false, kind: "cancelled" };
    throw error;
  }
}
