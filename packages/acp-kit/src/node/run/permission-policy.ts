import { optionOfKind, type PermissionHandler } from "@acp-kit/client";
import type { IncomingRequestPermissionRequest, PermissionOption, ToolKind } from "@acp-kit/types";
import { abortable } from "./abortable.js";

/** Who decides: `ask` a person, `allow` and `reject` everything, `reads` allows what only looks and rejects the rest. */
export const permissionPolicies = ["ask", "allow", "reject", "reads"] as const;

export type PermissionPolicy = (typeof permissionPolicies)[number];

/** What became of one request. */
export interface AnsweredPermission {
  readonly toolCallId: string;
  readonly title: string;
  /** The kind of the option that was chosen, or `cancelled`. */
  readonly answer: PermissionOption["kind"] | "cancelled";
}

/** Asks a person for one of the options; `undefined` when there is no person, or no answer. */
export type AskPerson = (
  request: IncomingRequestPermissionRequest,
  signal: AbortSignal,
) => Promise<PermissionOption | undefined>;

/** What the decisions need to know. */
export interface PermissionDesk {
  readonly ask: AskPerson;
  /** Told of each request before it is decided, and of each answer. */
  onAsked(): void;
  onAnswered(answer: AnsweredPermission): void;
}

/** Kinds of tool calls that change nothing and send nothing anywhere. */
const reading: readonly (ToolKind | (string & {}))[] = ["read", "search", "think"];

/** The handler of a policy. Where the agent offers nothing that fits, the answer is `cancelled`. */
export function permissionsBy(policy: PermissionPolicy, desk: PermissionDesk): PermissionHandler {
  return async (request, { signal }) => {
    desk.onAsked();
    const { toolCallId, title } = request.toolCall;
    const option = await abortable(choose(policy, request, desk.ask, signal), signal);
    desk.onAnswered({ toolCallId, title: title || toolCallId, answer: option?.kind ?? "cancelled" });
    return option === undefined ? "cancelled" : { outcome: "selected", optionId: option.optionId };
  };
}

async function choose(
  policy: PermissionPolicy,
  request: IncomingRequestPermissionRequest,
  ask: AskPerson,
  signal: AbortSignal,
): Promise<PermissionOption | undefined> {
  if (policy === "ask") return ask(request, signal);
  const { options, toolCall } = request;
  const allowed = policy === "allow" || (policy === "reads" && reading.includes(toolCall.kind ?? "other"));
  return allowed ? allowing(options) : rejecting(options);
}

/** Once rather than always: the user of a script decided about this run. */
function allowing(options: readonly PermissionOption[]): PermissionOption | undefined {
  return optionOfKind(options, "allow_once") ?? optionOfKind(options, "allow_always");
}

function rejecting(options: readonly PermissionOption[]): PermissionOption | undefined {
  return optionOfKind(options, "reject_once") ?? optionOfKind(options, "reject_always");
}
