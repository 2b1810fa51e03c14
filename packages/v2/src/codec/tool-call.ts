import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";
import { type JsonObject, present } from "./objects.js";
import { toolContentToV2 } from "./tool-content.js";

const v1Kinds: ReadonlySet<unknown> = new Set<v1.ToolKind>([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
]);
const v1Statuses: ReadonlySet<unknown> = new Set<v1.ToolCallStatus>(["pending", "in_progress", "completed", "failed"]);

/**
 * Converts a tool call of version 1. There, `null` means "unchanged", but in version 2 it clears a member, so members
 * that are `null` are left out. Lines begin at 1 in version 2. `isOwn` is that of {@link toolContentToV2}.
 *
 * @see https://agentclientprotocol.com/protocol/v2/tool-calls
 */
export function toolCallToV2(
  call: v1.IncomingToolCall | v1.IncomingToolCallUpdate,
  lost: Lost,
  isOwn = false,
): v2.ToolCallUpdate {
  const { content, locations, ...rest } = call;
  const converted = {
    ...present(rest),
    ...(content && { content: toolContentToV2(content, lost, isOwn) }),
    ...(locations && {
      locations: locations.map((location) => (location.line === 0 ? { ...location, line: 1 } : location)),
    }),
  };
  return converted as v2.ToolCallUpdate;
}

/**
 * Converts a tool call of version 2, without its `content`. There, `null` clears a member: version 1 has no such
 * update, so the default of the member takes its place, if it has one. `capabilities` are left out, because version 1
 * can't cancel a single call.
 */
export function toolCallToV1(call: v2.IncomingToolCallUpdate, lost: Lost): v1.ToolCallUpdate {
  const { content: _, capabilities: __, ...rest } = call;
  const entries = Object.entries(rest).flatMap(([name, value]): [string, unknown][] => {
    if (value !== null) return [[name, value]];
    if (Object.hasOwn(cleared, name)) return [[name, cleared[name]]];
    lost("tool_call_clear");
    return [];
  });
  const converted: JsonObject = Object.fromEntries(entries); // `__proto__` stays a member
  if (typeof call.kind === "string") converted.kind = toolKindToV1(call.kind, lost);
  if (typeof call.status === "string") converted.status = toolStatusToV1(call.status, lost);
  return converted as unknown as v1.ToolCallUpdate;
}

/** The values of cleared members: those of a new tool call. `name` and the raw members have none. */
const cleared: Readonly<JsonObject> = { title: "", locations: [], kind: "other", status: "pending", _meta: null };

function toolKindToV1(kind: string, lost: Lost): v1.ToolKind {
  if (v1Kinds.has(kind)) return kind as v1.ToolKind;
  lost("tool_call_kind");
  return "other";
}

/** The statuses of version 2 are open: an unknown one is still in progress. */
export function toolStatusToV1(status: string, lost: Lost): v1.ToolCallStatus {
  if (v1Statuses.has(status)) return status as v1.ToolCallStatus;
  lost("tool_call_status");
  return status === "cancelled" ? "failed" : "in_progress";
}

/** Returns whether a tool call with this status of version 2 has ended. */
export function isFinal(status: string | null | undefined): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
