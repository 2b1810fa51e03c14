import type { DecidePermission, PermissionContext } from "@acp-kit/client";
import { optionOfKind, rejectionOf } from "@acp-kit/client/internal";
import type { IncomingRequestPermissionRequest, PermissionOption, ToolKind } from "@acp-kit/types";
import { abortable } from "./abortable.js";

/**
 * The policies for permission requests. `ask` prompts the user, `allow` allows every request, `reject` rejects every
 * request, and `reads` allows only tool calls that read.
 */
export const permissionPolicies = ["ask", "allow", "reject", "reads"] as const;

export type PermissionPolicy = (typeof permissionPolicies)[number];

/** The decision about one permission request. */
export interface RunDecision {
  readonly toolCallId: string;
  readonly title: string;
  /** The kind of the chosen option; `cancelled` if the turn was cancelled, or if the agent offered no rejection. */
  readonly decision: PermissionOption["kind"] | "cancelled";
}

/** The context of a prompt: when it ends, and the session that owns the request. */
export type PromptContext = Pick<PermissionContext, "signal" | "session">;

/** Prompts the user to choose an option; `undefined`, and so a rejection, without a terminal or a choice. */
export type PromptUser = (
  request: IncomingRequestPermissionRequest,
  context: PromptContext,
) => Promise<PermissionOption | undefined>;

/** The callbacks of {@link permissionsBy}. */
export interface DecisionCallbacks {
  readonly ask: PromptUser;
  /** Called for each permission request before its decision. */
  onRequested(): void;
  /** Called after each decision of a permission request. */
  onDecided(decided: RunDecision): void;
}

/** The kinds of tool calls that change nothing and send no data to other machines. */
const reading: readonly (ToolKind | (string & {}))[] = ["read", "search", "think"];

/** Creates the permission rule of a policy. It rejects other calls, or cancels without an offered rejection. */
export function permissionsBy(policy: PermissionPolicy, callbacks: DecisionCallbacks): DecidePermission {
  return async (request, context) => {
    const { signal } = context;
    callbacks.onRequested();
    const { toolCallId, title } = request.toolCall;
    const option = await abortable(choose(policy, request, callbacks.ask, context), signal);
    callbacks.onDecided({ toolCallId, title: title || toolCallId, decision: option?.kind ?? "cancelled" });
    return option === undefined ? "cancelled" : { outcome: "selected", optionId: option.optionId };
  };
}

async function choose(
  policy: PermissionPolicy,
  request: IncomingRequestPermissionRequest,
  ask: PromptUser,
  context: PromptContext,
): Promise<PermissionOption | undefined> {
  const { options, toolCall } = request;
  if (policy === "ask") return (await ask(request, context)) ?? rejectionOf(options);
  const allowed = policy === "allow" || (policy === "reads" && reading.includes(toolCall.kind ?? "other"));
  return (allowed ? allowing(options) : undefined) ?? rejectionOf(options);
}

/** Returns the option that allows the call, preferably `allow_once`, because the policy is for this run only. */
function allowing(options: readonly PermissionOption[]): PermissionOption | undefined {
  return optionOfKind(options, "allow_once") ?? optionOfKind(options, "allow_always");
}
