import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { MessageText } from "./message-text.js";
import type { UnsupportedBlocks } from "./prompt/prompt-content.js";
import type { Session } from "./session.js";
import type { UpdateQueue } from "./update-queue.js";

/** Options of one prompt. */
export interface PromptOptions {
  /** Aborting cancels the turn, as `turn.cancel()` does. */
  readonly signal?: AbortSignal;
  /**
   * Cancels the turn and rejects when the agent sends nothing for this long, in milliseconds. Time in which the agent waits for a response of
   * the client doesn't count. Default: never.
   */
  readonly idleTimeoutMs?: number;
  /** Rejects when the agent has not responded for this long after a cancel, in milliseconds. Default 30,000; 0 means no limit. */
  readonly cancelTimeoutMs?: number;
  /** What happens to blocks of a kind that the agent did not advertise. Default `reject`: the result rejects with `CapabilityError`. */
  readonly unsupportedBlocks?: UnsupportedBlocks;
  /** `_meta` of the request. */
  readonly meta?: Record<string, unknown>;
}

/** The state of a prompt: waiting for the prompts before it, being processed by the agent, or done. */
export type TurnState = "queued" | "running" | "settled";

/** The state and actions of a turn, implemented by its control. Separate from {@link PromptTurn}, so that applications can't settle a turn. */
export interface TurnActs {
  readonly prompt: readonly ContentBlock[];
  readonly result: Promise<PromptResponse>;
  readonly updates: UpdateQueue<IncomingSessionUpdate>;
  readonly state: TurnState;
  cancel(): void;
  remove(): boolean;
}

/**
 * A prompt that was sent, and the agent's work on it. {@link text} waits for the whole text; {@link textStream} has it as it arrives;
 * iterating the turn gives every update; {@link result} says why the turn ended.
 *
 * The updates can be read once, in one of these ways. Reading ends after the last update of the turn, and throws there if the turn failed,
 * with the error of {@link result}. The result settles after every listener has finished with every update that came before it.
 *
 * @example
 * ```ts
 * const answer = await session.prompt("Explain this").text();
 *
 * const turn = session.prompt("Explain this");
 * for await (const update of turn) render(update);
 * const { stopReason } = await turn.result;
 * ```
 */
export class PromptTurn implements AsyncIterable<IncomingSessionUpdate> {
  readonly session: Session;
  /**
   * Why the turn ended. Rejects with `RpcError` when the agent responded with an error, `ConnectionError` when it died or a deadline passed,
   * and `CapabilityError` when the prompt has content that the agent doesn't accept. A cancelled turn resolves, with `stopReason: "cancelled"`.
   */
  readonly result: Promise<PromptResponse>;
  /** The content blocks that are sent. */
  readonly prompt: readonly ContentBlock[];
  readonly #acts: TurnActs;

  /** @internal Created by `session.prompt`. */
  constructor(session: Session, acts: TurnActs) {
    this.session = session;
    this.prompt = acts.prompt;
    this.result = acts.result;
    this.#acts = acts;
  }

  /** The state of the turn; `session.queue` notifies of changes. */
  get state(): TurnState {
    return this.#acts.state;
  }

  /**
   * Resolves with the text of the agent's messages when the turn has ended; an empty line separates messages. Thoughts, tool calls and
   * content that is not text are left out. A cancelled turn resolves with the text until then.
   *
   * Rejects as {@link result} does, and with `TypeError` when the updates were read already.
   */
  async text(): Promise<string> {
    let text = "";
    for await (const piece of this.textStream) text += piece;
    await this.result;
    return text;
  }

  /** The text of the agent's messages as it arrives, in the pieces that the agent sends; joined, they are what {@link text} resolves with. */
  get textStream(): AsyncGenerator<string, void, undefined> {
    return textOf(this);
  }

  /**
   * The updates of this turn, those included that have arrived already. Read until the end or `break`: once a reader has begun, its unread
   * updates count as backlog, and a reader that stops without leaving the loop blocks the connection when its buffer is full.
   */
  [Symbol.asyncIterator](): AsyncGenerator<IncomingSessionUpdate, void, undefined> {
    return this.#acts.updates[Symbol.asyncIterator]();
  }

  /**
   * Sends `session/cancel`, and responds to this session's open permission requests with `cancelled`. Updates may still arrive; the result
   * settles as usual. A queued turn is not sent at all. Safe at any time, any number of times.
   */
  cancel(): void {
    this.#acts.cancel();
  }

  /** Removes it from the queue: it is never sent, and its result is `cancelled`. Returns `false`, and does nothing, when it is not `queued`. */
  remove(): boolean {
    return this.#acts.remove();
  }
}

async function* textOf(turn: PromptTurn): AsyncGenerator<string, void, undefined> {
  const message = new MessageText();
  for await (const update of turn) {
    const text = message.add(update);
    if (text !== "") yield text;
  }
}
