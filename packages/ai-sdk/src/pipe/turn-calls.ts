import type { ToolCallHandle, ToolCallInit, Turn } from "@acp-kit/agent";
import type { TokenUsage } from "./stream-part.js";
import { addUsage } from "./token-usage.js";

/**
 * The tool calls of one turn, by the ids that the model chose, and the token usage of the turn. All streams of a turn
 * share this object: after each approval, the turn continues with another stream.
 */
export class TurnCalls {
  readonly #turn: Turn;
  readonly #calls = new Map<string, ToolCallHandle>();
  #usage: TokenUsage | undefined;
  readonly #waiting = new Map<string, ((call: ToolCallHandle) => void)[]>();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** The tokens of the turn so far, of all its streams. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  /** Adds the tokens of a stream that has ended. */
  addUsage(usage: TokenUsage | undefined): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** Returns the tool call with this id, if it was announced to the client. */
  get(toolCallId: string): ToolCallHandle | undefined {
    return this.#calls.get(toolCallId);
  }

  /** The tool calls that have not ended. */
  get open(): readonly ToolCallHandle[] {
    return [...this.#calls.values()].filter(({ ended }) => !ended);
  }

  /** Resolves with the tool call when it is announced; a tool may start before the part about its call is read. */
  when(toolCallId: string): Promise<ToolCallHandle> {
    const call = this.#calls.get(toolCallId);
    if (call !== undefined) return Promise.resolve(call);
    return new Promise((resolve) => {
      this.#waiting.set(toolCallId, [...(this.#waiting.get(toolCallId) ?? []), resolve]);
    });
  }

  /** Announces a tool call to the client. */
  announce(init: ToolCallInit & { readonly toolCallId: string }): ToolCallHandle {
    const call = this.#turn.toolCall(init);
    this.#calls.set(call.id, call);
    for (const resolve of this.#waiting.get(call.id) ?? []) resolve(call);
    this.#waiting.delete(call.id);
    return call;
  }
}
