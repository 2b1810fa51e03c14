import { ConnectionError } from "@acp-kit/protocol";
import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import { clientDefaults } from "./limits.js";
import { type PromptOptions, PromptTurn, type TurnActs, type TurnState } from "./prompt-turn.js";
import type { Session } from "./session.js";
import type { TurnPhase } from "./sessions/turn-phase.js";
import { isSessionFact } from "./transcript/session-facts.js";
import { TurnClock } from "./turn-clock.js";
import type { UpdateQueue } from "./update-queue.js";

/** The methods of the session that a turn calls. */
export interface TurnHost {
  /** Whether a listener of the session is running. */
  readonly isHandling: boolean;
  /** See {@link Connection.paused}. */
  readonly isPaused: boolean;
  cancel(control: TurnControl): void;
  remove(control: TurnControl): boolean;
  stateOf(control: TurnControl): TurnState;
}

/** What a turn needs besides its session and host: the prompt with its options, or nothing for a turn that this client did not start. */
export interface TurnStart extends PromptOptions {
  /** The content blocks to send; `undefined` for a turn that this client did not start. */
  readonly prompt: readonly ContentBlock[] | undefined;
}

/** The methods by which a session changes a turn. */
export class TurnControl implements TurnActs {
  readonly turn: PromptTurn;
  /** Changed only by the session's `PromptQueue`. */
  phase: TurnPhase;
  readonly isJoined: boolean;
  /** The content blocks to send. */
  readonly prompt: readonly ContentBlock[];
  readonly meta: Record<string, unknown> | undefined;
  readonly result: Promise<PromptResponse>;
  readonly updates: UpdateQueue<IncomingSessionUpdate>;
  /** Started when the prompt is sent. */
  readonly clock: TurnClock;
  readonly #host: TurnHost;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: (result: PromptResponse | Promise<never>) => void;
  #settled = false;
  #begun = false;

  constructor(
    session: Session,
    updates: UpdateQueue<IncomingSessionUpdate>,
    { prompt, ...options }: TurnStart,
    host: TurnHost,
  ) {
    const { signal, meta, idleTimeoutMs = 0, cancelTimeoutMs = clientDefaults.cancelTimeoutMs } = options;
    const { promise, settle } = unsettled();
    this.isJoined = prompt === undefined;
    this.phase = this.isJoined ? "running" : "queued";
    this.prompt = prompt ?? [];
    this.meta = meta;
    this.result = promise;
    this.updates = updates;
    this.#settle = settle;
    this.#host = host;
    this.#signal = signal;
    this.clock = new TurnClock({
      idleTimeoutMs,
      cancelTimeoutMs,
      isHandling: () => host.isHandling,
      isPaused: () => host.isPaused,
      onIdle: () => {
        this.cancel();
        this.#giveUp(`the agent sent nothing for ${idleTimeoutMs} ms`);
      },
      onCancelTimeout: () =>
        this.#giveUp(`the turn was cancelled, but the agent did not respond within ${cancelTimeoutMs} ms`),
    });
    updates.onRead = () => this.clock.touch();
    this.turn = new PromptTurn(session, this);
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get state(): TurnState {
    return this.#host.stateOf(this);
  }

  get settled(): boolean {
    return this.#settled;
  }

  /**
   * Whether the agent has begun to work on the prompt. Such a prompt is not sent again after a login, because the agent
   * would repeat its work.
   */
  get hasBegun(): boolean {
    return this.#begun;
  }

  markBegun(): void {
    this.#begun = true;
  }

  cancel(): void {
    this.#host.cancel(this);
  }

  remove(): boolean {
    return this.#host.remove(this);
  }

  push(update: IncomingSessionUpdate, size: number): void {
    if (!isSessionFact(update) && update.sessionUpdate !== "user_message_chunk") this.#begun = true;
    this.updates.push(update, size);
    this.clock.touch();
  }

  /** Ends the updates. Called when the response to the prompt has arrived. */
  end(): void {
    this.updates.end();
  }

  /** Ends the updates with an error. A reader of the updates gets the error after the last update. */
  fail(error: unknown): void {
    this.updates.end({ error });
  }

  resolve(response: PromptResponse): void {
    this.#finish(response);
    this.end();
  }

  reject(error: unknown): void {
    this.#finish(Promise.reject(error));
    this.fail(error);
  }

  readonly #onAbort = (): void => this.cancel();

  #giveUp(reason: string): void {
    this.reject(new ConnectionError("timeout", `session/prompt: ${reason}`, { method: "session/prompt" }));
  }

  #finish(result: PromptResponse | Promise<never>): void {
    if (result instanceof Promise) result.catch(() => {}); // no unhandled rejection if the application never reads the result
    if (this.#settled) return;
    this.#settled = true;
    this.clock.stop();
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#settle(result);
  }
}

function unsettled(): {
  readonly promise: Promise<PromptResponse>;
  readonly settle: (result: PromptResponse | Promise<never>) => void;
} {
  let settle: (result: PromptResponse | Promise<never>) => void = () => {};
  const promise = new Promise<PromptResponse>((resolve) => {
    settle = resolve;
  });
  promise.catch(() => {}); // no unhandled rejection if the application never reads the result
  return { promise, settle };
}
