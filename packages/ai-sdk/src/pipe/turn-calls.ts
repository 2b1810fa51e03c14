import type { ToolCallHandle, ToolCallInit, Turn } from "@acp-kit/agent";
import type { TokenUsage } from "./stream-part.js";
import { addUsage } from "./token-usage.js";

/** The tool calls of one turn, by the model's ids, and the turn's tokens. The streams of one turn, such as one after an approval, share it. */
export class TurnCalls {
  readonly #turn: Turn;
  readonly #calls = new Map<string, ToolCallHandle>();
  #usage: TokenUsage | undefined;
  readonly #waiting = new Map<string, ((call: ToolCallHandle) => void)[]>();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** The tokens of the turn so far, over all of its streams. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  /** Counts the tokens of a stream that has ended. */
  addUsage(usage: TokenUsage | undefined): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** Returns the call, if it has been announced. */
  get(toolCallId: string): ToolCallHandle | undefined {
    return this.#calls.get(toolCallId);
  }

  /** The calls that have not ended. */
  get open(): readonly ToolCallHandle[] {
    return [...this.#calls.values()].filter(({ ended }) => !ended);
  }

  /** Resolves with the call once it is announced: a tool may start before its part has been read. */
  when(toolCallId: string): Promise<ToolCallHandle> {
    const call = this.#calls.get(toolCallId);
    if (call !== undefined) return Promise.resolve(call);
    return new Promise((resolve) => {
      this.#waiting.set(toolCallId, [...(this.#waiting.get(toolCallId) ?? []), resolve]);
    });
  }

  /** Announces a call to the client. */
  announce(init: ToolCallInit & { readonly toolCallId: string }): ToolCallHandle {
    const call = this.#turn.toolCall(init);
    this.#calls.set(call.id, call);
    for (const resolve of this.#waiting.get(call.id) ?? []) resolve(call);
    this.#waiting.delete(call.id);
    return call;
  }
}
