import type { IncomingToolCallContent, IncomingToolCallUpdate } from "@acp-kit/schema";
import type { ToolCallEntry } from "./transcript-entry.js";

/**
 * A tool call after an update, which may be the first that is heard of it.
 *
 * What the update names is replaced, lists as a whole; what it leaves out, or says to be `null`, is kept. `_meta` is replaced member by
 * member, because more than one party writes there.
 *
 * @see https://agentclientprotocol.com/protocol/v1/tool-calls
 */
export function mergeToolCall(
  before: ToolCallEntry,
  update: Omit<IncomingToolCallUpdate, "toolCallId">,
): ToolCallEntry {
  const { title, name, kind, status, content, locations, rawInput, rawOutput, _meta } = update;
  const { unfinished, ...kept } = before;
  const meta = _meta == null ? undefined : withoutTerminals(_meta);
  return {
    ...kept,
    ...(unfinished !== undefined && status == null && { unfinished }),
    ...(title != null && { title }),
    ...(name != null && { name }),
    ...(kind != null && { kind }),
    ...(status != null && { status }),
    ...(content != null && { content, terminalIds: addTerminals(before.terminalIds, content) }),
    ...(locations != null && { locations }),
    ...(rawInput != null && { rawInput }),
    ...(rawOutput != null && { rawOutput }),
    ...(meta && { meta: { ...before.meta, ...meta } }),
  };
}

/** Nobody has said what became of it. */
export function isOpen({ status, unfinished }: ToolCallEntry): boolean {
  return (status === "pending" || status === "in_progress") && unfinished === undefined;
}

function addTerminals(before: readonly string[], content: readonly IncomingToolCallContent[]): readonly string[] {
  let ids = before;
  for (const item of content) {
    if (item.type === "terminal" && !ids.includes(item.terminalId)) ids = [...ids, item.terminalId];
  }
  return ids;
}

/** The names under which agents tell about terminals of their own, in the `_meta` of tool calls. */
export const terminalMembers = ["terminal_info", "terminal_output", "terminal_exit"] as const;

/** The rest of `_meta`: what it says about terminals is kept with the terminals, not twice. */
function withoutTerminals(meta: Record<string, unknown>): Record<string, unknown> | undefined {
  if (!terminalMembers.some((name) => name in meta)) return meta;
  const rest = { ...meta };
  for (const name of terminalMembers) delete rest[name];
  return Object.keys(rest).length > 0 ? rest : undefined;
}
