import { isConnectionError } from "@acp-kit/protocol";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { PermissionOption } from "@acp-kit/types";
import { defaultPermissionOptions, type PermissionOutcome } from "./permission.js";
import { type PermissionMemory, permissionOptionsFor } from "./permission-memory.js";
import { scopeOfCall } from "./scope-of-call.js";
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
   * The name of the set of tool calls to which a choice of "always" applies, such as `edits of /work/a.md`. The options
   * show it to the user, so it must say everything that the choice allows.
   *
   * By default, a choice applies only to the same tool with equal input and the same paths, or without an input to the
   * same paths if the tool call reads, edits or deletes files. If the tool call has neither, no choice is remembered.
   */
  readonly scope?: string;
  /**
   * The options from which the user can choose. By default, there is one of each of the four kinds, or only those for
   * once if no choice would be remembered.
   */
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
  const behavior = typeof policy === "function" ? await policy(call) : policy;
  if (behavior !== "ask") return { allowed: behavior === "allow", by: "policy" };
  const { scope = scopeOfCall(call) } = given;
  const { options = scope === undefined ? defaultPermissionOptions : permissionOptionsFor(scope) } = given;
  const remembered = scope === undefined ? undefined : memory.find(scope);
  if (remembered !== undefined) return { allowed: remembered.allowed, by: "remembered" };
  const { allowed, kind } = await promptUser(call, options);
  const isAlways = kind === "allow_always" || kind === "reject_always";
  if (isAlways && scope !== undefined) memory.remember({ scope, allowed });
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
