import { isConnectionError } from "@acp-kit/protocol";
import type { PermissionOption } from "@acp-kit/types";
import type { PermissionOutcome } from "./permission.js";
import { type PermissionMemory, permissionOptionsFor } from "./permission-memory.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/** What a policy can say of a tool call: go on, don't, or let the user decide. */
export type PermissionBehavior = "allow" | "deny" | "ask";

/** Whether tool calls need the user: one verdict for all, or a function of the call. */
export type PermissionPolicy =
  | PermissionBehavior
  | ((call: ToolCallHandle) => PermissionBehavior | PromiseLike<PermissionBehavior>);

/** How a permission is asked for. */
export interface PermitOptions {
  /** What an answer "always" is about; the user reads it. Default: the tool's name, else its kind. */
  readonly scope?: string;
  /** What is offered to the user. Default: the four standard kinds. */
  readonly options?: readonly PermissionOption[];
}

/** Whether a tool call may run, and who says so. */
export interface Permit {
  /** Only this permits the action. */
  readonly allowed: boolean;
  /** `policy`: sent nothing; `remembered`: an earlier answer "always"; `user`: just now; `nobody`: cancelled, or the client is gone. */
  readonly by: "policy" | "remembered" | "user" | "nobody";
}

/**
 * Asks only where the policy says so and no earlier answer "always" speaks for the scope. A client that vanished, and one that
 * answers what wasn't offered, permit nothing.
 */
export async function permit(
  call: ToolCallHandle,
  policy: PermissionPolicy,
  memory: PermissionMemory,
  { scope = call.name ?? call.kind ?? "other", options = permissionOptionsFor(scope) }: PermitOptions = {},
): Promise<Permit> {
  const verdict = typeof policy === "function" ? await policy(call) : policy;
  if (verdict !== "ask") return { allowed: verdict === "allow", by: "policy" };
  const remembered = memory.find(scope);
  if (remembered !== undefined) return { allowed: remembered.allowed, by: "remembered" };
  const { allowed, kind } = await asked(call, options);
  if (kind === "allow_always" || kind === "reject_always") memory.remember({ scope, allowed });
  return { allowed, by: kind === "cancelled" ? "nobody" : "user" };
}

async function asked(
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
