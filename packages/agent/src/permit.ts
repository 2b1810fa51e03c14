import { isConnectionError } from "@acp-kit/protocol";
import type { PermissionOption } from "@acp-kit/types";
import type { PermissionOutcome } from "./permission.js";
import { type PermissionMemory, permissionOptionsFor } from "./permission-memory.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/** What a permission policy decides about a tool call: `allow` runs it, `deny` does not run it, `ask` prompts the user. */
export type PermissionBehavior = "allow" | "deny" | "ask";

/** A policy that decides which tool calls need the user: one behavior for all calls, or a function of the call. */
export type PermissionPolicy =
  | PermissionBehavior
  | ((call: ToolCallHandle) => PermissionBehavior | PromiseLike<PermissionBehavior>);

/** Options of `turn.permit`. */
export interface PermitOptions {
  /**
   * The tool calls to which a choice "always" applies, which the options show to the user. By default, the scope is the
   * tool's name, or else its kind.
   */
  readonly scope?: string;
  /** The options that the user can choose from. By default, these are the four standard kinds. */
  readonly options?: readonly PermissionOption[];
}

/** The result of `turn.permit`: whether the tool call may run, and what decided it. */
export interface Permit {
  /** Whether the tool call may run. */
  readonly allowed: boolean;
  /**
   * What decided. `policy`: the policy, and nothing was sent; `remembered`: an earlier choice "always"; `user`: the
   * user, just now; `none`: the request was cancelled, or the client disconnected.
   */
  readonly by: "policy" | "remembered" | "user" | "none";
}

/**
 * Decides whether a tool call may run, and prompts the user only if the policy says `ask` and no remembered choice
 * covers the scope. If the client disconnects or responds with an option that was not offered, the tool call may not
 * run.
 */
export async function permit(
  call: ToolCallHandle,
  policy: PermissionPolicy,
  memory: PermissionMemory,
  { scope = call.name ?? call.kind ?? "other", options = permissionOptionsFor(scope) }: PermitOptions = {},
): Promise<Permit> {
  const behavior = typeof policy === "function" ? await policy(call) : policy;
  if (behavior !== "ask") return { allowed: behavior === "allow", by: "policy" };
  const remembered = memory.find(scope);
  if (remembered !== undefined) return { allowed: remembered.allowed, by: "remembered" };
  const { allowed, kind } = await promptUser(call, options);
  if (kind === "allow_always" || kind === "reject_always") memory.remember({ scope, allowed });
  return { allowed, by: kind === "cancelled" ? "none" : "user" };
}

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
