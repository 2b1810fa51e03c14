import type { IncomingToolCallUpdate, RequestPermissionOutcome } from "@acp-kit/types";
import type { PermissionState, ToolCallEntry } from "./transcript-entry.js";
import type { Draft } from "./writable.js";

/** A tool call that has just been heard of, by its id alone. */
export function newToolCall(
  toolCallId: string,
  position: Pick<ToolCallEntry, "key" | "turn" | "replayed">,
): ToolCallEntry {
  const nothing = { title: "", kind: "other", status: "pending", content: [], locations: [], terminalIds: [] } as const;
  return { type: "tool_call", toolCallId, ...nothing, ...position };
}

/**
 * Brings a tool call up to date, in place; the update may be the first that is heard of it.
 *
 * What the update names is replaced, lists as a whole; what it leaves out, or says to be `null`, is kept. `_meta` is replaced member by
 * member, because more than one party writes there.
 *
 * @see https://agentclientprotocol.com/protocol/v1/tool-calls
 */
export function mergeToolCall(entry: Draft<ToolCallEntry>, update: Omit<IncomingToolCallUpdate, "toolCallId">): void {
  const { title, name, kind, status, content, locations, rawInput, rawOutput, _meta } = update;
  if (title != null) entry.title = title;
  if (name != null) entry.name = name;
  if (kind != null) entry.kind = kind;
  if (locations != null) entry.locations = locations;
  if (rawInput != null) entry.rawInput = rawInput;
  if (rawOutput != null) entry.rawOutput = rawOutput;
  if (status != null) {
    entry.status = status;
    if (entry.unfinished) delete entry.unfinished; // `delete` makes an object slow, also where there is nothing to delete
  }
  if (content != null) {
    entry.content = content;
    for (const item of content) if (item.type === "terminal") addTerminal(entry, item.terminalId);
  }
  const meta = _meta == null ? undefined : withoutTerminals(_meta);
  if (meta !== undefined) entry.meta = { ...entry.meta, ...meta };
}

/** The most terminals that are listed of one call: each is looked for among the others. */
export const MAX_CALL_TERMINALS = 1_000;

/** The call has shown a terminal. */
export function addTerminal(entry: Draft<ToolCallEntry>, terminalId: string): void {
  const { terminalIds } = entry;
  if (terminalIds.length >= MAX_CALL_TERMINALS || terminalIds.includes(terminalId)) return;
  entry.terminalIds = [...terminalIds, terminalId];
}

/** Nobody has said what became of it. */
export function isOpen({ status, unfinished }: ToolCallEntry): boolean {
  return (status === "pending" || status === "in_progress") && unfinished === undefined;
}

/** A request for permission that has its answer. */
export function answeredPermission(
  { requestId, options }: PermissionState,
  outcome: RequestPermissionOutcome,
): PermissionState {
  const optionId = outcome.outcome === "selected" ? outcome.optionId : undefined;
  const chosen = options.find((option) => option.optionId === optionId);
  return { requestId, state: "answered", options, outcome, ...(chosen && { chosen }) };
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
