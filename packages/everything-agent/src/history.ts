import { content } from "@acp-kit/agent";
import type { ContentBlock, SessionUpdate, ToolCall, ToolCallUpdate } from "@acp-kit/types";
import type { EverythingLogEntry } from "./session-store.js";

/**
 * The updates that belong to the conversation. All other updates describe the session's current state, or are sent only
 * once.
 */
const historyUpdates: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "agent_message", // version 2: a whole message, which replaces its chunks
  "tool_call",
  "tool_call_update",
  "plan",
  "compaction_update",
  "compaction_summary_chunk",
]);

/** Returns whether an update is part of the history of its session. */
export function isHistory({ sessionUpdate }: SessionUpdate): boolean {
  return historyUpdates.has(sessionUpdate);
}

/**
 * Returns the conversation as `session/load` replays it: each tool call and each plan once, in its final state.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions
 */
export function replayOf(log: readonly EverythingLogEntry[]): SessionUpdate[] {
  let replay: SessionUpdate[] = [];
  let turnStart = 0;
  let turn = 0;
  for (const entry of log) {
    if (entry.type === "prompt") {
      turn += 1;
      turnStart = replay.length;
      const messageId = `prompt_${turn}`;
      for (const block of entry.prompt) {
        replay.push({ sessionUpdate: "user_message_chunk", content: block, messageId });
      }
    } else if (entry.type === "refused") {
      replay = replay.slice(0, turnStart);
    } else if (entry.type === "update") {
      add(replay, turnStart, entry.update);
    }
  }
  return replay.map(withoutTerminals);
}

/** Adds an update, or merges it into the update that it changes. */
function add(replay: SessionUpdate[], turnStart: number, update: SessionUpdate): void {
  if ((update.sessionUpdate as string) === "agent_message") {
    replaceMessage(replay, update as unknown as WholeMessage);
    return;
  }
  if (update.sessionUpdate === "tool_call_update") {
    const index = replay.findLastIndex((earlier) => isToolCall(earlier) && earlier.toolCallId === update.toolCallId);
    const call = replay[index];
    if (call !== undefined && isToolCall(call)) replay[index] = merged(call, update);
  } else if (update.sessionUpdate === "plan") {
    const index = replay.findIndex((earlier, at) => at >= turnStart && earlier.sessionUpdate === "plan");
    if (index >= 0) replay[index] = update;
    else replay.push(update);
  } else {
    replay.push(update);
  }
}

/** An update of version 2 that replaces a message. */
interface WholeMessage {
  readonly messageId: string;
  readonly content: readonly ContentBlock[];
}

/** Replaces the chunks of a message by its new content. */
function replaceMessage(replay: SessionUpdate[], { messageId, content: blocks }: WholeMessage): void {
  const isChunk = (update: SessionUpdate): boolean =>
    update.sessionUpdate === "agent_message_chunk" && update.messageId === messageId;
  const at = replay.findIndex(isChunk);
  const others = replay.filter((update) => !isChunk(update));
  const chunks = blocks.map(
    (block): SessionUpdate => ({
      sessionUpdate: "agent_message_chunk",
      content: block,
      messageId,
    }),
  );
  others.splice(at < 0 ? others.length : at, 0, ...chunks);
  replay.splice(0, replay.length, ...others);
}

type SentToolCall = Extract<SessionUpdate, { sessionUpdate: "tool_call" }>;

function isToolCall(update: SessionUpdate): update is SentToolCall {
  return update.sessionUpdate === "tool_call";
}

/**
 * Merges an update into a tool call: absent and `null` members keep the earlier value, and other members replace it.
 */
function merged(call: SentToolCall, { toolCallId: _, ...change }: ToolCallUpdate): SentToolCall {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value != null)) as Partial<ToolCall>;
  return { ...call, ...set, sessionUpdate: "tool_call" };
}

/** Replaces a terminal by its output, because the terminal no longer exists when the session is loaded. */
function withoutTerminals(update: SessionUpdate): SessionUpdate {
  if (!isToolCall(update) || update.content?.some(({ type }) => type === "terminal") !== true) return update;
  const { output } = (update.rawOutput ?? {}) as { output?: unknown };
  const text = typeof output === "string" ? output : "(the terminal is gone)";
  return { ...update, content: update.content.map((item) => (item.type === "terminal" ? content(text) : item)) };
}
