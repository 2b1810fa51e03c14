import type { Turn } from "@acp-kit/agent";
import type { PromptResponse, StopReason } from "@acp-kit/types";
import { metaOf } from "./json.js";
import { partHandlers } from "./part-handlers.js";
import type { AnyPart, StreamPart, TokenUsage } from "./stream-part.js";
import { TurnCalls } from "./turn-calls.js";
import { type ToolApproval, TurnWriter, type TurnWriterOptions } from "./turn-writer.js";

/** How a stream is told. */
export interface PipeOptions extends TurnWriterOptions {
  /** The step limit of the stream's own loop. With it, a loop that ended early for another reason is `end_turn`. */
  readonly maxSteps?: number;
  /** The calls that this turn has told before, when this is not its first stream. */
  readonly calls?: TurnCalls;
  /** Hears a part that this version doesn't know. Nothing is told of it. */
  readonly onUnknownPart?: (part: StreamPart) => void;
}

/** What became of a stream. */
export interface PipeResult {
  /** What the prompt is answered with, unless {@link approvals} wait to be taken to the model. */
  readonly response: PromptResponse;
  /** The user's answers to the approval requests of the stream: the content of the tool message that the next stream starts with. */
  readonly approvals: readonly ToolApproval[];
  /** Give it to the next stream of this turn. */
  readonly calls: TurnCalls;
  /** Model calls that it took. */
  readonly steps: number;
  /** The tokens of the turn: of this stream, and of those before it that had the same {@link calls}. */
  readonly usage: TokenUsage | undefined;
}

/**
 * Tells a stream of the AI SDK in a turn, part by part as they come: `result.fullStream` of `streamText`, or a UI message stream. The tables of
 * the README say what becomes of each part.
 *
 * Give the stream's source `turn.signal`, so that it stops when the turn is cancelled. One that doesn't is left where it is, and `response` is
 * `cancelled` all the same.
 *
 * @throws what the stream told as an error, when it has ended.
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

/** A model that stopped to call tools wanted to go on: only a limit keeps it from that, unless approvals are waited for. */
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

/** The parts until the stream ends or the turn is cancelled. A source that was given the signal too ends by itself. */
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
      next.catch(() => {}); // when the turn is cancelled nobody else looks at it
      const { done, value } = await Promise.race([stopped, next]);
      if (done === true) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    if (signal.aborted) Promise.resolve(parts.return?.()).catch(() => {});
  }
}
