import type { Turn } from "@acp-kit/agent";
import type { PromptResponse, StopReason } from "@acp-kit/types";
import { metaOf } from "./json.js";
import { partHandlers } from "./part-handlers.js";
import type { AnyPart, StreamPart, TokenUsage } from "./stream-part.js";
import { TurnCalls } from "./turn-calls.js";
import { type ToolApproval, TurnWriter, type TurnWriterOptions } from "./turn-writer.js";

/** Options of sending a stream. */
export interface PipeOptions extends TurnWriterOptions {
  /** The step limit of the stream's own loop. With it, a loop that ended early for another reason is `end_turn`. */
  readonly maxSteps?: number;
  /** The calls that this turn has sent before, when this is not its first stream. */
  readonly calls?: TurnCalls;
  /** Called for a part that this version doesn't know. Nothing is sent for it. */
  readonly onUnknownPart?: (part: StreamPart) => void;
}

/** The result of sending a stream. */
export interface PipeResult {
  /** The response to the prompt, unless {@link approvals} must be passed to the model first. */
  readonly response: PromptResponse;
  /** The user's decisions on the approval requests of the stream: the content of the tool message that the next stream starts with. */
  readonly approvals: readonly ToolApproval[];
  /** Pass it to the next stream of this turn. */
  readonly calls: TurnCalls;
  /** The number of model calls. */
  readonly steps: number;
  /** The tokens of the turn: of this stream, and of earlier ones with the same {@link calls}. */
  readonly usage: TokenUsage | undefined;
}

/**
 * Sends a stream of the AI SDK as updates of a turn, part by part: `result.fullStream` of `streamText`, or a UI message stream. The tables of
 * the README list the update of each part.
 *
 * Pass `turn.signal` to the stream's source, so that it stops when the turn is cancelled. Otherwise the source keeps running, and
 * `response` is `cancelled` all the same.
 *
 * @throws the error part of the stream, when the stream has ended.
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
  { maxSteps, calls = new TurnCalls(turn), onUnknownPart, ...options }: PipeOptions = {},
): Promise<PipeResult> {
  const writer = new TurnWriter(turn, calls, options);
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

function handlerOf({ type }: StreamPart): (typeof partHandlers)["start"] | undefined {
  const name = type.startsWith("data-") ? "data-*" : type;
  return Object.hasOwn(partHandlers, name) ? partHandlers[name as keyof typeof partHandlers] : undefined;
}

/** A model that stopped to call tools wanted to continue: only a limit prevents that, unless approvals are pending. */
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

/** Yields the parts until the stream ends or the turn is cancelled. A source that has the signal too ends by itself. */
async function* until(signal: AbortSignal, stream: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart, void> {
  const parts = stream[Symbol.asyncIterator]();
  const end = { done: true, value: undefined } as const;
  let stop = (): void => {};
  const stopped = new Promise<typeof end>((resolve) => {
    stop = () => resolve(end);
  });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const next = parts.next();
      next.catch(() => {}); // after a cancel no other code handles its rejection
      const { done, value } = await Promise.race([stopped, next]);
      if (done === true) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    if (signal.aborted) Promise.resolve(parts.return?.()).catch(() => {});
  }
}
