import type { IncomingToolCallUpdate, RequestPermissionOutcome } from "@acp-kit/types";
import { isFinalStatus } from "../final-status.js";
import { isEmptyValue } from "../permissions/empty-members.js";
import type { PermissionState, ToolCallEntry } from "./transcript-entry.js";
import type { Draft } from "./writable.js";

/** Creates the entry of a tool call of which only the id is known yet. */
export function newToolCall(
  toolCallId: string,
  position: Pick<ToolCallEntry, "key" | "turn" | "replayed">,
): ToolCallEntry {
  const nothing = { title: "", kind: "other", status: "pending", content: [], locations: [], terminalIds: [] } as const;
  return { type: "tool_call", toolCallId, ...nothing, ...position };
}

/**
 * Applies an update, except for its `_meta`, to the entry of a tool call, in place. The update can be the first update
 * of the tool call.
 *
 * Members of the update replace those of the entry; a list is replaced as a whole. A member that is absent or `null` in
 * the update is kept, and so is an input if the update's input is empty.
 *
 * @see https://agentclientprotocol.com/protocol/v1/tool-calls
 */
export function mergeToolCall(entry: Draft<ToolCallEntry>, update: Omit<IncomingToolCallUpdate, "toolCallId">): void {
  const { title, name, kind, status, content, locations, rawInput, rawOutput } = update;
  if (title != null) entry.title = title;
  if (name != null) entry.name = name;
  if (kind != null) entry.kind = kind;
  if (locations != null) entry.locations = locations;
  if (rawInput != null && (entry.rawInput === undefined || !isEmptyValue(rawInput))) entry.rawInput = rawInput;
  if (rawOutput != null) entry.rawOutput = rawOutput;
  if (status != null) {
    entry.status = status;
    // Checked first, because `delete` makes an object slow even if there is nothing to delete.
    if (entry.unfinished) delete entry.unfinished;
  }
  if (content != null) {
    entry.content = content;
    for (const item of content) if (item.type === "terminal") addTerminal(entry, item.terminalId);
  }
}

/**
 * The maximum number of terminals of one tool call; further terminals are ignored. The number is limited because each
 * new terminal is compared with the others.
 */
export const MAX_CALL_TERMINALS = 1_000;

/** Adds a terminal to the entry of a tool call. */
export function addTerminal(entry: Draft<ToolCallEntry>, terminalId: string): void {
  const { terminalIds } = entry;
  if (terminalIds.length >= MAX_CALL_TERMINALS || terminalIds.includes(terminalId)) return;
  entry.terminalIds = [...terminalIds, terminalId];
}

/** Returns whether a tool call has neither ended nor been marked as unfinished. Its status can be unknown. */
export function isOpen({ status, unfinished }: ToolCallEntry): boolean {
  return unfinished === undefined && !isFinalStatus(status);
}

/** Returns the state of a permission request after it was decided. */
export function decidedPermission(
  { requestId, options }: PermissionState,
  outcome: RequestPermissionOutcome,
): PermissionState {
  const optionId = outcome.outcome === "selected" ? outcome.optionId : undefined;
  const chosen = options.find((option) => option.optionId === optionId);
  return { requestId, state: "decided", options, outcome, ...(chosen && { chosen }) };
}

/** The members of a tool call's `_meta` in which agents describe their own terminals. */
export const terminalMembers = ["terminal_info", "terminal_output", "terminal_output_delta", "terminal_exit"] as const;

/** Returns `_meta` without the members about terminals, which `TerminalList` keeps. */
export function withoutTerminals(meta: Record<string, unknown>): Record<string, unknown> | undefined {
  if (!terminalMembers.some((name) => name in meta)) return meta;
  const rest = { ...meta };
  for (const name of terminalMembers) delete rest[name];
  return Object.keys(rest).length > 0 ? rest : undefined;
}
