import type { IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/schema";

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

  note(update: IncomingSessionUpdate): void {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    const { sessionUpdate, ...call } = update as IncomingToolCallUpdate & { sessionUpdate: string };
    const { toolCallId } = call;
    if (call.status === "completed" || call.status === "failed") {
      this.#calls.delete(toolCallId);
      return;
    }
    this.#calls.set(toolCallId, fillIn(call, this.#calls.get(toolCallId)));
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > this.#max && oldest !== undefined) this.#calls.delete(oldest);
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
