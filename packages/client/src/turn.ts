import { ConnectionError } from "@acp-kit/protocol";
import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { clientDefaults } from "./limits.js";
import type { UnsupportedBlocks } from "./prompt/prompt-content.js";
import type { Session } from "./session.js";
import { TurnClock } from "./turn-clock.js";
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

/** What the session does for a turn. */
export interface TurnHost {
  cancel(control: TurnControl): void;
  remove(control: TurnControl): boolean;
  stateOf(control: TurnControl): TurnState;
}

/** How the session tells a turn what happens to it. Kept apart from {@link Turn}, so that applications can't. */
export interface TurnControl {
  readonly turn: Turn;
  /** What is sent. */
  readonly prompt: readonly ContentBlock[];
  readonly meta: Record<string, unknown> | undefined;
  /** Starts when it is sent. */
  readonly clock: TurnClock;
  readonly push: (update: IncomingSessionUpdate, size: number) => void;
  /** Its answer is here: no more updates of it come. */
  readonly ended: () => void;
  readonly resolve: (response: PromptResponse) => void;
  readonly reject: (error: unknown) => void;
  readonly settled: boolean;
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
  readonly #queue: UpdateQueue<IncomingSessionUpdate>;
  /** What is sent: the blocks as the agent takes them. */
  readonly prompt: readonly ContentBlock[];
  readonly #acts: { cancel(): void; remove(): boolean; state(): TurnState };

  private constructor(
    session: Session,
    prompt: readonly ContentBlock[],
    result: Promise<PromptResponse>,
    queue: UpdateQueue<IncomingSessionUpdate>,
    acts: { cancel(): void; remove(): boolean; state(): TurnState },
  ) {
    this.session = session;
    this.prompt = prompt;
    this.result = result;
    this.#queue = queue;
    this.#acts = acts;
  }

  /** Where it is; `session.queue` tells of changes. */
  get state(): TurnState {
    return this.#acts.state();
  }

  /**
   * The updates of this turn, once; what arrived before is kept. Whoever begins to read reads on or leaves the loop: a reader who stops in the middle
   * holds up the connection once much is waiting, and with it the result.
   */
  [Symbol.asyncIterator](): AsyncGenerator<IncomingSessionUpdate, void, undefined> {
    return this.#queue[Symbol.asyncIterator]();
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

  /** @internal Made by `session.prompt`. */
  static open(
    session: Session,
    prompt: readonly ContentBlock[],
    queue: UpdateQueue<IncomingSessionUpdate>,
    options: PromptOptions,
    host: TurnHost,
  ): TurnControl {
    const { signal, idleTimeoutMs = 0, cancelTimeoutMs = clientDefaults.cancelTimeoutMs } = options;
    let resolve: (response: PromptResponse) => void = () => {};
    let reject: (error: unknown) => void = () => {};
    const result = new Promise<PromptResponse>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    result.catch(() => {}); // whoever only iterates must not crash
    let settled = false;
    const finish = (settle: () => void): void => {
      if (settled) return;
      settled = true;
      clock.stop();
      signal?.removeEventListener("abort", abort);
      queue.end();
      settle();
    };
    const giveUp = (why: string): void => {
      finish(() => reject(new ConnectionError("timeout", `session/prompt: ${why}`, { method: "session/prompt" })));
    };
    const clock = new TurnClock({
      idleTimeoutMs,
      cancelTimeoutMs,
      idle() {
        host.cancel(control);
        giveUp(`the agent said nothing for ${idleTimeoutMs} ms`);
      },
      unanswered: () => giveUp(`cancelled, but not answered within ${cancelTimeoutMs} ms`),
    });
    const control: TurnControl = {
      turn: new Turn(session, prompt, result, queue, {
        cancel: () => host.cancel(control),
        remove: () => host.remove(control),
        state: () => host.stateOf(control),
      }),
      prompt,
      meta: options.meta,
      clock,
      push(update, size) {
        queue.push(update, size);
        clock.touch();
      },
      ended: () => queue.end(),
      resolve: (response) => finish(() => resolve(response)),
      reject: (error) => finish(() => reject(error)),
      get settled() {
        return settled;
      },
    };
    const abort = (): void => host.cancel(control);
    signal?.addEventListener("abort", abort, { once: true });
    return control;
  }
}
