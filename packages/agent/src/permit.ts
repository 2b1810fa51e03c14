import { isConnectionError } from "@acp-kit/protocol";
import type { PermissionOption } from "@acp-kit/types";
import type { PermissionOutcome } from "./permission.js";
import { type PermissionMemory, permissionOptionsFor } from "./permission-memory.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/** The decision of a policy about a tool call: run it, don't run it, or prompt the user. */
export type PermissionBehavior = "allow" | "deny" | "ask";

/** Decides which tool calls need the user: one behavior for all, or a function of the call. */
export type PermissionPolicy =
  | PermissionBehavior
  | ((call: ToolCallHandle) => PermissionBehavior | PromiseLike<PermissionBehavior>);

/** Options of `turn.permit`. */
export interface PermitOptions {
  /** The calls that a choice "always" applies to, shown to the user. Default: the tool's name, else its kind. */
  readonly scope?: string;
  /** The options for the user. Default: the four standard kinds. */
  readonly options?: readonly PermissionOption[];
}

/** Whether a tool call may run, and who decided. */
export interface Permit {
  /** Only this permits the action. */
  readonly allowed: boolean;
  /** `policy`: nothing was sent; `remembered`: an earlier choice "always"; `user`: just now; `none`: cancelled, or the client disconnected. */
  readonly by: "policy" | "remembered" | "user" | "none";
}

/**
 * Prompts the user only if the policy says `ask` and no remembered choice covers the scope. The call is not permitted if the client
 * disconnects or responds with an option that was not offered.
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
