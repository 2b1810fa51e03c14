import type { Turn } from "@acp-kit/agent";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { PromptResponse, StopReason } from "@acp-kit/types";
import { metaOf } from "./json.js";
import { partHandlers } from "./part-handlers.js";
import type { AnyPart, StreamPart, TokenUsage } from "./stream-part.js";
import { TurnCalls } from "./turn-calls.js";
import { type ToolApproval, TurnWriter, type TurnWriterOptions } from "./turn-writer.js";

/** Options of {@link pipe}. */
export interface PipeOptions extends TurnWriterOptions {
  /**
   * The maximum number of model calls with which you created the stream. `pipe` does not enforce it, but needs it for
   * the stop reason of a stream that ends with tool calls: `end_turn` if the stream made fewer model calls, otherwise
   * `max_turn_requests`. Without this option, it is `max_turn_requests`.
   */
  readonly maxSteps?: number;
  /** The tool calls of earlier streams of this turn. */
  readonly calls?: TurnCalls;
  /** Called with a part of the stream that this version doesn't know. Nothing is sent to the client for such a part. */
  readonly onUnknownPart?: (part: StreamPart) => void;
}

/** The result of {@link pipe}. */
export interface PipeResult {
  /** The response to the prompt. If there are {@link approvals}, start the next stream instead. */
  readonly response: PromptResponse;
  /** Decisions about the stream's approval requests. Add them as a tool message, and start the next stream. */
  readonly approvals: readonly ToolApproval[];
  /** The tool calls of the turn; pass them to the next `pipe` of this turn. */
  readonly calls: TurnCalls;
  /** The number of model calls of the stream. */
  readonly steps: number;
  /** The tokens of the turn: of this stream, and of earlier streams with the same {@link calls}. */
  readonly usage: TokenUsage | undefined;
}

/**
 * Sends a stream of the AI SDK as updates of a turn, part by part: `result.fullStream` of `streamText`, or a UI message
 * stream. Tables in the package's README list the update for each part.
 *
 * Pass `turn.signal` to the source of the stream, so that the source stops when the turn is cancelled. Without the
 * signal, the source keeps running after a cancellation, although the stop reason is `cancelled`. If `pipe` throws, it
 * stops reading the stream; `streamText` then still runs until its own signal aborts.
 *
 * @throws the error part of the stream, after the stream has ended.
 * @example
 * ```ts
 * prompt: async (turn) => {
 *   const { fullStream } = streamText({ model, prompt: turn.text, abortSignal: turn.signal });
 *   return (await pipe(fullStream, turn)).response;
 * };
 * ```
 */
export async function pipe(
  stream: AsyncIterable<StreamPart>,
  turn: Turn,
  options: PipeOptions = {},
): Promise<PipeResult> {
  checkOptions("pipe", options, optionKinds);
  const { maxSteps, calls = new TurnCalls(turn), onUnknownPart, ...rest } = options;
  const writer = new TurnWriter(turn, calls, rest);
  for await (const part of until(turn.signal, stream)) {
    const handle = handlerOf(part);
    if (handle === undefined) onUnknownPart?.(part);
    else await handle(part as AnyPart, writer);
  }
  const approvals = await writer.approvals();
  const { steps } = writer;
  calls.addUsage(writer.usage);
  const { usage } = calls;
  const stopReason = stopReasonOf(writer, turn, approvals.length > 0, maxSteps);
  return { response: { stopReason, ...metaOf({ usage }) }, approvals, calls, steps, usage };
}

const optionKinds: OptionKinds<PipeOptions> = {
  maxSteps: "value",
  calls: "value",
  onUnknownPart: "function",
  views: "value",
  kinds: "value",
  permission: "value",
  coalesceMs: "value",
  inputDeltas: "value",
  contextWindow: "value",
  tools: "value",
};

function handlerOf({ type }: StreamPart): (typeof partHandlers)["start"] | undefined {
  const name = type.startsWith("data-") ? "data-*" : type;
  return Object.hasOwn(partHandlers, name) ? partHandlers[name as keyof typeof partHandlers] : undefined;
}

/**
 * Returns the stop reason. `waits`: the stream contained approval requests. If a stream without them ends with tool
 * calls, a limit has ended it. The stop reason is then `max_turn_requests`, unless the stream made fewer than
 * `maxSteps` model calls.
 */
function stopReasonOf(writer: TurnWriter, turn: Turn, waits: boolean, maxSteps: number | undefined): StopReason {
  if (turn.signal.aborted || writer.aborted) return "cancelled";
  writer.throwIfFailed();
  switch (writer.finishReason) {
    case "length":
      return "max_tokens";
    case "content-filter":
      return "refusal";
    case "tool-calls":
      return waits || writer.steps < (maxSteps ?? 0) ? "end_turn" : "max_turn_requests";
    default:
      return "end_turn";
  }
}

/**
 * Yields the parts until the stream ends or the turn is cancelled. If the stream has not ended, because of a
 * cancellation or because a part could not be sent, its source is ended without waiting for it.
 */
async function* until(signal: AbortSignal, stream: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart, void> {
  const parts = stream[Symbol.asyncIterator]();
  const end = { done: true, value: undefined } as const;
  let stop = (): void => {};
  const stopped = new Promise<typeof end>((resolve) => {
    stop = () => resolve(end);
  });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let isEnded = false;
  try {
    for (;;) {
      const next = parts.next();
      next.catch(() => {}); // after a cancel, no other code handles the rejection
      const result = await Promise.race([stopped, next]);
      if (result === end) return;
      isEnded = result.done === true;
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    if (!isEnded) Promise.resolve(parts.return?.()).catch(() => {});
  }
}
