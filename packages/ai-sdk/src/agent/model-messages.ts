import type { ContentBlock, SessionUpdate, ToolCallContent } from "@acp-kit/types";
import type { ModelMessage } from "ai";
import { isEmptyInput, metaKey } from "../pipe/json.js";
import { Conversation, type ToolOutput, toolOutput } from "./conversation.js";
import { userContent } from "./user-content.js";

/** An entry of a session's log, as `@acp-kit/sessions` stores it. */
export interface HistoryEntry {
  readonly entry:
    | { readonly type: "prompt"; readonly prompt: readonly ContentBlock[] }
    | { readonly type: "update"; readonly update: SessionUpdate }
    | { readonly type: "end" };
}

interface Call {
  name?: string | null;
  kind?: string | null;
  rawInput?: unknown;
  rawOutput?: unknown;
  status?: string | null;
  content?: ToolCallContent[] | null;
  _meta?: Record<string, unknown> | null;
}

/**
 * Converts the log of a session to messages for a model: prompts, the agent's texts, and each tool call with its input
 * and its result. Tool calls that a crash interrupted get an error result.
 *
 * Thoughts are left out, because model providers accept them only with a signature, and the log contains no signatures.
 * Calls of tools that the model provider ran itself are left out too, because the model's next text contains their
 * results.
 */
export function modelMessages(history: Iterable<HistoryEntry>): ModelMessage[] {
  const entries = [...history];
  const calls = new Map<string, Call>();
  const conversation = new Conversation();
  for (const { entry } of entries) {
    if (entry.type !== "update") continue;
    const { update } = entry;
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") continue;
    const told = Object.entries(update).filter(([name, value]) => value != null && !isEmptyInput(name, value));
    calls.set(update.toolCallId, { ...calls.get(update.toolCallId), ...Object.fromEntries(told) });
  }
  for (const { entry } of entries) {
    if (entry.type === "prompt") conversation.user(userContent(entry.prompt));
    if (entry.type === "update") hear(conversation, entry.update, calls);
  }
  return conversation.end();
}

function hear(conversation: Conversation, update: SessionUpdate, calls: ReadonlyMap<string, Call>): void {
  if (update.sessionUpdate === "agent_message_chunk") {
    if (update.content.type === "text") conversation.text(update.content.text);
  } else if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update") {
    const call = calls.get(update.toolCallId);
    if (call === undefined || isProviderExecuted(call)) return;
    // A `tool_call` may not contain the whole input yet, so the input comes from `calls`, which joins all updates of
    // the call.
    if (update.sessionUpdate === "tool_call")
      conversation.call(update.toolCallId, call.name ?? call.kind ?? "tool", call.rawInput ?? {});
    const { status } = update;
    if (status === "completed" || status === "failed") conversation.output(update.toolCallId, outputOf(call));
  }
}

function outputOf({ status, rawOutput, content }: Call): ToolOutput {
  if (status !== "failed") return toolOutput(rawOutput ?? textOf(content));
  return { type: "error-text", value: typeof rawOutput === "string" ? rawOutput : textOf(content) || "Failed" };
}

function textOf(content: readonly ToolCallContent[] | null | undefined): string {
  const texts = (content ?? []).flatMap((one) =>
    one.type === "content" && one.content.type === "text" ? [one.content.text] : [],
  );
  return texts.join("\n");
}

function isProviderExecuted({ _meta }: Call): boolean {
  return (_meta?.[metaKey] as { providerExecuted?: unknown } | undefined)?.providerExecuted === true;
}
