import type { IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/types";

/**
 * What an agent told of its calls that are not done yet. A permission request often only names the call; rules and people want its kind, its title
 * and its paths.
 */
export class AnnouncedCalls {
  readonly #max: number;
  readonly #calls = new Map<string, IncomingToolCallUpdate>();

  /** Beyond `max` calls the oldest is forgotten: some agents never end theirs. */
  constructor(max = 1_000) {
    this.#max = max;
  }

  get(toolCallId: string): IncomingToolCallUpdate | undefined {
    return this.#calls.get(toolCallId);
  }

  // Agents send thousands of these: what is kept is changed in place, and whoever asks for it makes a copy.
  note(update: IncomingSessionUpdate): void {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    const { toolCallId, status } = update as IncomingToolCallUpdate;
    if (status === "completed" || status === "failed") {
      this.#calls.delete(toolCallId);
      return;
    }
    const kept = (this.#calls.get(toolCallId) ?? this.#add(toolCallId)) as unknown as Record<string, unknown>;
    const told = update as unknown as Readonly<Record<string, unknown>>;
    for (const name in told) {
      const value = told[name];
      if (value !== undefined && value !== null && name !== "sessionUpdate") kept[name] = value;
    }
  }

  #add(toolCallId: string): IncomingToolCallUpdate {
    const call: IncomingToolCallUpdate = { toolCallId };
    this.#calls.set(toolCallId, call);
    const [oldest] = this.#calls.size > this.#max ? this.#calls.keys() : [];
    if (oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }
}

/** A tool call with what was told before where it tells nothing: absent means unchanged. */
export function fillIn(
  call: IncomingToolCallUpdate,
  before: IncomingToolCallUpdate | undefined,
): IncomingToolCallUpdate {
  if (before === undefined) return call;
  const told = Object.entries(call).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...Object.fromEntries(told) } as IncomingToolCallUpdate;
}
