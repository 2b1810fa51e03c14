import type { OptionKinds } from "@acp-kit/protocol";
import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { MessageText } from "./message-text.js";
import type { UnsupportedBlocks } from "./prompt/prompt-content.js";
import type { Session } from "./session.js";
import type { UpdateQueue } from "./update-queue.js";

/** Options of one prompt. */
export interface PromptOptions {
  /** A signal whose abort cancels the turn, as `turn.cancel()` does. */
  readonly signal?: AbortSignal;
  /**
   * If the agent sends no update for this many milliseconds, the client cancels the turn and rejects its result. The
   * time during which the agent waits for a response of the client doesn't count, and the limit doesn't pass while a
   * listener of the session is running or while the connection has paused reading because the application reads a turn
   * too slowly. It ends with the cancel of the turn. By default, there is no such limit.
   */
  readonly idleTimeoutMs?: number;
  /**
   * The time in milliseconds after which the result of a cancelled turn rejects if the agent has not responded. The
   * default is 30,000; 0 means no limit.
   */
  readonly cancelTimeoutMs?: number;
  /**
   * What the client does with content blocks of a kind that the agent did not advertise. With the default `reject`, the
   * result of the turn rejects with `CapabilityError`.
   */
  readonly unsupportedBlocks?: UnsupportedBlocks;
  /** The `_meta` of the request `session/prompt`. */
  readonly meta?: Record<string, unknown>;
}

/** The kinds of the options, for their check. */
export const promptKinds: OptionKinds<PromptOptions> = {
  signal: "value",
  idleTimeoutMs: "value",
  cancelTimeoutMs: "value",
  unsupportedBlocks: ["reject", "link"],
  meta: "value",
};

/**
 * The state of a turn: `queued` while earlier turns run, `running` while the agent works on it, or `settled` when its
 * result has resolved or rejected.
 */
export type TurnState = "queued" | "running" | "settled";

/**
 * The state and the actions of a turn, which `TurnControl` implements. They are separate from {@link PromptTurn}, so
 * that applications can't settle a turn.
 */
export interface TurnActs {
  readonly isJoined: boolean;
  readonly prompt: readonly ContentBlock[];
  readonly result: Promise<PromptResponse>;
  readonly updates: UpdateQueue<IncomingSessionUpdate>;
  readonly state: TurnState;
  cancel(): void;
  remove(): boolean;
}

/**
 * A prompt and the agent's work on it, also if another client has sent the prompt. {@link text} resolves with the whole text, {@link textStream} yields the text as
 * it arrives, a loop over the turn yields every update, and {@link result} resolves with the stop reason.
 *
 * The updates of a turn can be read only once: with `text`, with `textStream` or with a loop. Reading ends after the
 * last update of the turn; if the turn failed, it then throws the error of {@link result}. The result settles after all
 * listeners have finished with all updates of the turn.
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
   * A promise of the turn's stop reason. It rejects with `RpcError` if the agent responded with an error, with
   * `ConnectionError` if the agent's process ended or did not respond in time, and with `CapabilityError` if the prompt
   * has content that the agent doesn't accept. For a cancelled turn it resolves with `stopReason: "cancelled"`.
   */
  readonly result: Promise<PromptResponse>;
  /** The content blocks of the prompt, as the client sends them. The list is empty if {@link isJoined}. */
  readonly prompt: readonly ContentBlock[];
  /**
   * Whether this client did not start the turn: another client has sent its prompt, or this client over an earlier
   * connection. The turn has the updates that arrive after the client has learnt of it.
   */
  readonly isJoined: boolean;
  readonly #acts: TurnActs;

  /** @internal Created by the session. */
  constructor(session: Session, acts: TurnActs) {
    this.session = session;
    this.isJoined = acts.isJoined;
    this.prompt = acts.prompt;
    this.result = acts.result;
    this.#acts = acts;
  }

  /** The state of the turn. Listeners of `session.onQueueChange` are notified when it changes. */
  get state(): TurnState {
    return this.#acts.state;
  }

  /**
   * Resolves with the text of the agent's messages when the turn has ended, with an empty line between two messages.
   * The text includes embedded text files, but not thoughts, tool calls and other content. For a cancelled turn it resolves with
   * the text that has arrived.
   *
   * It rejects as {@link result} does, and with `TypeError` if the updates of the turn have already been read.
   */
  async text(): Promise<string> {
    let text = "";
    for await (const piece of this.textStream) text += piece;
    await this.result;
    return text;
  }

  /** Yields the text of the agent's messages as it arrives. Joined, the pieces equal the result of {@link text}. */
  get textStream(): AsyncGenerator<string, void, undefined> {
    return textOf(this);
  }

  /**
   * Yields the updates of this turn, including those that have already arrived. A permission request or a form of the agent is
   * handled when the loop has received the updates that came before it. Read until the end or `break`: a reader
   * that stops without leaving the loop blocks the connection once its buffer is full.
   */
  [Symbol.asyncIterator](): AsyncGenerator<IncomingSessionUpdate, void, undefined> {
    return this.#acts.updates[Symbol.asyncIterator]();
  }

  /**
   * Cancels the turn: sends `session/cancel`, and settles the session's open permission requests with `cancelled`.
   * Updates can still arrive after that, and the result settles as usual. If the turn is queued, the agent does not get
   * its prompt. Calling it again, or after the turn has ended, has no effect.
   */
  cancel(): void {
    this.#acts.cancel();
  }

  /**
   * Removes a queued turn from the queue: the agent does not get its prompt, and its result has the stop reason
   * `cancelled`. Returns `false`, and does nothing, if the turn is not `queued`.
   */
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
