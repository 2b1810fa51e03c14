import { optionOfKind, type PermissionHandler } from "@acp-kit/client";
import type { IncomingRequestPermissionRequest, PermissionOption, ToolKind } from "@acp-kit/schema";
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
  /** The kind and title that updates told of a tool call; requests often leave them out. */
  toolCall(toolCallId: string): { readonly kind: string; readonly title: string } | undefined;
  /** Told of each request before it is decided, and of each answer. */
  onAsked(request: IncomingRequestPermissionRequest): void;
  onAnswered(answer: AnsweredPermission): void;
}

/** Kinds of tool calls that change nothing and send nothing anywhere. */
const reading: readonly (ToolKind | (string & {}))[] = ["read", "search", "think"];

/** The handler of a policy. Where the agent offers nothing that fits, the answer is `cancelled`. */
export function permissionsBy(policy: PermissionPolicy, desk: PermissionDesk): PermissionHandler {
  return async (request, { signal }) => {
    desk.onAsked(request);
    const { toolCall } = request;
    const known = desk.toolCall(toolCall.toolCallId);
    const { toolCallId } = toolCall;
    const title = toolCall.title || known?.title || toolCallId;
    const kind = toolCall.kind ?? known?.kind ?? "other";
    const option = await abortable(decide(policy, kind, request, desk.ask, signal), signal);
    desk.onAnswered({ toolCallId, title, answer: option?.kind ?? "cancelled" });
    return option === undefined ? "cancelled" : { outcome: "selected", optionId: option.optionId };
  };

  async function decide(
    policy: PermissionPolicy,
    kind: string,
    request: IncomingRequestPermissionRequest,
    ask: AskPerson,
    signal: AbortSignal,
  ): Promise<PermissionOption | undefined> {
    const { options } = request;
    if (policy === "ask") return ask(request, signal);
    const allowed = policy === "allow" || (policy === "reads" && reading.includes(kind));
    return allowed ? allowing(options) : rejecting(options);
  }
}

/** Once rather than always: the user of a script decided about this run. */
function allowing(options: readonly PermissionOption[]): PermissionOption | undefined {
  return optionOfKind(options, "allow_once") ?? optionOfKind(options, "allow_always");
}

function rejecting(options: readonly PermissionOption[]): PermissionOption | undefined {
  return optionOfKind(options, "reject_once") ?? optionOfKind(options, "reject_always");
}
