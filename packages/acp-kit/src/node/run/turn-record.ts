import type {
  Cost,
  IncomingSessionUpdate,
  IncomingToolCall,
  IncomingToolCallUpdate,
  PlanEntry,
  PromptResponse,
} from "@acp-kit/schema";
import { isKnownSessionUpdate } from "@acp-kit/schema";
import { MessageText } from "./message-text.js";

/** A tool call in its last state. What the agent never told has the default that the protocol gives it. */
export type RecordedToolCall = Omit<IncomingToolCall, "kind" | "status"> & {
  readonly kind: NonNullable<IncomingToolCall["kind"]>;
  readonly status: NonNullable<IncomingToolCall["status"]>;
};

/** What the agent told about its use of tokens. */
export interface RecordedUsage {
  /** How full the context is: tokens in it, tokens that fit. */
  readonly context: { readonly used: number; readonly size: number } | null;
  /** What the session has cost so far. */
  readonly cost: Cost | null;
  /** What the agent answered as `usage` of the turn, as it is: its members are not settled yet. */
  readonly turn: unknown;
}

/** What a turn told, put together from its updates. */
export class TurnRecord {
  readonly updates: Record<string, number> = {};
  readonly #message = new MessageText();
  readonly #toolCalls = new Map<string, RecordedToolCall>();
  #plan: readonly PlanEntry[] | null = null;
  #usage: RecordedUsage = { context: null, cost: null, turn: null };

  /** Adds an update; returns the text that it adds to the message. */
  add(update: IncomingSessionUpdate): string {
    const { sessionUpdate: kind } = update;
    this.updates[kind] = (this.updates[kind] ?? 0) + 1;
    if (!isKnownSessionUpdate(update)) return "";
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        if (update.content.type !== "text") return "";
        return this.#message.add((update.content as { text: string }).text, update.messageId ?? undefined);
      case "tool_call":
      case "tool_call_update":
        this.noteToolCall(update);
        break;
      case "plan":
        this.#plan = update.entries;
        break;
      case "usage_update": {
        const { used, size, cost } = update;
        this.#usage = { ...this.#usage, context: { used, size }, cost: cost ?? this.#usage.cost };
        return "";
      }
      case "agent_thought_chunk":
        break;
      default:
        return "";
    }
    this.#message.interrupt();
    return "";
  }

  /** A tool call, or a change of one, from an update or a permission request: what is absent is kept, what is there replaces. */
  noteToolCall({
    sessionUpdate: _,
    ...change
  }: (IncomingToolCall | IncomingToolCallUpdate) & { sessionUpdate?: string }): void {
    const { toolCallId } = change;
    const known = this.#toolCalls.get(toolCallId) ?? { toolCallId, title: "", kind: "other", status: "pending" };
    const told = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== null && value !== undefined),
    );
    this.#toolCalls.set(toolCallId, { ...known, ...told } as RecordedToolCall);
  }

  /** The answer to the prompt. */
  end(response: PromptResponse): void {
    const { usage } = response as { usage?: unknown };
    if (usage !== undefined && usage !== null) this.#usage = { ...this.#usage, turn: usage };
  }

  get text(): string {
    return this.#message.text;
  }

  get toolCalls(): readonly RecordedToolCall[] {
    return [...this.#toolCalls.values()];
  }

  toolCall(toolCallId: string): RecordedToolCall | undefined {
    return this.#toolCalls.get(toolCallId);
  }

  /** The plan as it was told last; `null` when none was. */
  get plan(): readonly PlanEntry[] | null {
    return this.#plan;
  }

  /** `null` when nothing was told. */
  get usage(): RecordedUsage | null {
    const { context, cost, turn } = this.#usage;
    return context === null && cost === null && turn === null ? null : this.#usage;
  }
}
