import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import type { UnsupportedBlocks } from "./prompt/prompt-content.js";
import type { Session } from "./session.js";
import type { UpdateQueue } from "./update-queue.js";

/** How one prompt is sent. */
export interface PromptOptions {
  /** Aborting cancels the turn, as `turn.cancel()` does. */
  readonly signal?: AbortSignal;
  /**
   * Cancel the turn and give up when the agent says nothing for this long, in milliseconds. Time in which the agent waits for an answer of ours
   * doesn't count. Default: never.
   */
  readonly idleTimeoutMs?: number;
  /** Give up when a cancelled turn is not answered for this long, in milliseconds. Default 30,000; 0 waits for ever. */
  readonly cancelTimeoutMs?: number;
  /** What becomes of blocks that the agent did not announce to take. Default `reject`: the result rejects with `CapabilityError`. */
  readonly unsupportedBlocks?: UnsupportedBlocks;
  /** `_meta` of the request. */
  readonly meta?: Record<string, unknown>;
}

/** Where a prompt is on its way: it waits for those before it, the agent has it, or it is done. */
export type TurnState = "queued" | "running" | "settled";

/** What becomes of a turn: implemented by its control, kept apart from {@link Turn}, so that applications can't settle it. */
export interface TurnActs {
  readonly prompt: readonly ContentBlock[];
  readonly result: Promise<PromptResponse>;
  readonly updates: UpdateQueue<IncomingSessionUpdate>;
  readonly state: TurnState;
  cancel(): void;
  remove(): boolean;
}

/**
 * A prompt on its way: its updates as they come, and its result when it is done.
 *
 * Iterating ends after the last update of the turn, whatever its end was; the end itself is {@link result}. The result settles after every
 * listener has finished with every update that came before it.
 *
 * @example
 * ```ts
 * const turn = session.prompt("Explain this");
 * for await (const update of turn) render(update);
 * const { stopReason } = await turn.result;
 * ```
 */
export class Turn implements AsyncIterable<IncomingSessionUpdate> {
  readonly session: Session;
  /**
   * Why the turn ended. Rejects with `RpcError` when the agent failed, `ConnectionError` when it died or a deadline passed, and
   * `CapabilityError` when the prompt holds what the agent doesn't take. A cancelled turn resolves, with `stopReason: "cancelled"`.
   */
  readonly result: Promise<PromptResponse>;
  /** What is sent: the blocks as the agent takes them. */
  readonly prompt: readonly ContentBlock[];
  readonly #acts: TurnActs;

  /** @internal Made by `session.prompt`. */
  constructor(session: Session, acts: TurnActs) {
    this.session = session;
    this.prompt = acts.prompt;
    this.result = acts.result;
    this.#acts = acts;
  }

  /** Where it is; `session.queue` tells of changes. */
  get state(): TurnState {
    return this.#acts.state;
  }

  /**
   * The updates of this turn, once; what arrived before is kept. Whoever begins to read reads on or leaves the loop: a reader who stops in the middle
   * holds up the connection once much is waiting, and with it the result.
   */
  [Symbol.asyncIterator](): AsyncGenerator<IncomingSessionUpdate, void, undefined> {
    return this.#acts.updates[Symbol.asyncIterator]();
  }

  /**
   * Asks the agent to stop, and answers this session's open permission requests with `cancelled`. Updates may still come; the result settles
   * as always. A turn that was not sent yet is not sent at all. Safe at any time, any number of times.
   */
  cancel(): void {
    this.#acts.cancel();
  }

  /** Takes it out of the queue: it is never sent, and its result is `cancelled`. `false`, and nothing happens, once it is not `queued` any more. */
  remove(): boolean {
    return this.#acts.remove();
  }
}
