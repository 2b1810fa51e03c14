import { ConnectionError } from "@acp-kit/protocol";
import type { IncomingSessionUpdate, PromptResponse } from "@acp-kit/schema";
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

/** How the session tells a turn what happens to it. Kept apart from {@link Turn}, so that applications can't. */
export interface TurnControl {
  readonly turn: Turn;
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
  readonly #cancel: () => void;

  private constructor(
    session: Session,
    result: Promise<PromptResponse>,
    queue: UpdateQueue<IncomingSessionUpdate>,
    cancel: () => void,
  ) {
    this.session = session;
    this.result = result;
    this.#queue = queue;
    this.#cancel = cancel;
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
    this.#cancel();
  }

  /** @internal Made by `session.prompt`. */
  static open(
    session: Session,
    queue: UpdateQueue<IncomingSessionUpdate>,
    options: PromptOptions,
    cancel: (control: TurnControl) => void,
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
        cancel(control);
        giveUp(`the agent said nothing for ${idleTimeoutMs} ms`);
      },
      unanswered: () => giveUp(`cancelled, but not answered within ${cancelTimeoutMs} ms`),
    });
    const control: TurnControl = {
      turn: new Turn(session, result, queue, () => cancel(control)),
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
    const abort = (): void => cancel(control);
    signal?.addEventListener("abort", abort, { once: true });
    return control;
  }
}
