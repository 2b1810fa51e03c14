import type { IncomingRequestPermissionRequest, PermissionOption } from "@acp-kit/types";
import { isKnownToolCallContent, type IncomingRequestPermissionRequest as V2Request } from "@acp-kit/types/v2";

const kinds: ReadonlySet<unknown> = new Set(["allow_once", "allow_always", "reject_once", "reject_always"]);

/**
 * Converts a permission request of version 2 to the form that permission rules know. Options of unknown kinds are left
 * out, because a rule could take one for an approval.
 */
export function permissionToV1({ subject, options, ...request }: V2Request): IncomingRequestPermissionRequest {
  return {
    ...request,
    toolCall: toolCallOf(subject, request),
    options: options.filter(({ kind }) => kinds.has(kind)) as PermissionOption[],
  } as IncomingRequestPermissionRequest;
}

function toolCallOf(subject: V2Request["subject"], { title }: { readonly title: string }): object {
  const { type, ...about } = subject ?? {};
  if (type === "command") {
    const { command, cwd, toolCallId = "" } = about as { command: string; cwd: string; toolCallId?: string | null };
    return { toolCallId: toolCallId ?? "", title, kind: "execute", rawInput: { command, cwd } };
  }
  if (type !== "tool_call") return { toolCallId: "", title };
  const { toolCall } = about as { toolCall: Record<string, unknown> };
  const { content, ...call } = toolCall;
  const shown = Array.isArray(content) && { content: content.map(contentToV1) };
  return { title, ...Object.fromEntries(Object.entries(call).filter(([, value]) => value !== null)), ...shown };
}

/** Converts an item of content. Of a diff, only the paths matter to rules: they find them in this member of `_meta`. */
function contentToV1(item: Parameters<typeof isKnownToolCallContent>[0]): object {
  if (!isKnownToolCallContent(item) || item.type !== "diff") return item;
  const { changes, _meta } = item;
  return { type: "content", content: { type: "text", text: "" }, _meta: { ..._meta, "acp-kit/diff": { changes } } };
}
