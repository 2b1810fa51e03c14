import { RpcError } from "@acp-kit/protocol";
import { type Deferred, deferred, JsonRpcErrorCode, onAbort } from "@acp-kit/protocol/internal";
import type { IncomingPromptRequest, PromptResponse } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import { RunningTurn } from "./running-turn.js";
import type { SessionChannel } from "./session-channel.js";
import type { PlayTurn } from "./turn.js";
import type { TurnPolicy } from "./turn-policy.js";
import type { WorkContext } from "./versioned-session.js";

/**
 * The states of a runner.
 *
 * - `idle`: no turn runs, so a prompt starts immediately.
 * - `running`: a handler runs a turn for one prompt, and for the prompts that were merged into it.
 * - `responding`: the handler has ended, and the responses are being sent. The next turn starts after them, because the
 *   client assigns all updates that it receives before the response to the previous turn.
 */
type RunnerState =
  | { readonly is: "idle" }
  | {
      readonly is: "running";
      readonly turn: RunningTurn;
      readonly prompts: WorkContext[];
      readonly over: Deferred<void>;
    }
  | { readonly is: "responding"; readonly over: Deferred<void> };

/** A prompt that waits for the turns before it. */
interface QueuedPrompt {
  readonly start: () => void;
  readonly cancel: () => void;
}

const idle: RunnerState = { is: "idle" };
const none: ReadonlySet<QueuedPrompt> = new Set();

/** Runs the turns of one session, one at a time. Each prompt gets exactly one response. */
export class TurnRunner {
  readonly #peer: AgentPeer;
  readonly #channel: SessionChannel;
  readonly #handler: PlayTurn;
  readonly #policy: TurnPolicy;
  #state: RunnerState = idle;
  /** The queued prompts in order of arrival; `undefined` in most sessions, which never have any. */
  #queue: Set<QueuedPrompt> | undefined;

  constructor(peer: AgentPeer, channel: SessionChannel, handler: PlayTurn, policy: TurnPolicy) {
    this.#peer = peer;
    this.#channel = channel;
    this.#handler = handler;
    this.#policy = policy;
  }

  /**
   * Runs a prompt immediately if no other turn of the session runs. Otherwise queues, rejects or merges the prompt, as
   * the option `concurrentPrompts` says.
   */
  run(request: IncomingPromptRequest, context: WorkContext): Promise<PromptResponse> {
    const state = this.#state;
    if (state.is === "running") {
      const { concurrentPrompts } = this.#policy;
      if (concurrentPrompts === "reject") {
        const data = { sessionId: request.sessionId };
        return Promise.reject(
          new RpcError(
            JsonRpcErrorCode.invalidRequest,
            "A turn of this session is running: the agent accepts no other prompt",
            { data },
          ),
        );
      }
      if (concurrentPrompts === "merge" && state.turn.offer(request)) {
        state.prompts.push(context);
        return state.turn.response;
      }
    }
    return this.enqueue(request, context);
  }

  /** Whether a turn runs or a prompt is queued. */
  get isBusy(): boolean {
    return this.#state.is === "running" || (this.#queue ?? none).size > 0;
  }

  /** Cancels the running turn and the queued prompts. Prompts that arrive later are not affected. */
  cancel(reason: unknown): void {
    for (const { cancel } of [...(this.#queue ?? none)]) cancel();
    if (this.#state.is === "running") this.#state.turn.cancel(reason);
  }

  /** Resolves when no turn is running and the last response has been sent. */
  async idle(): Promise<void> {
    while (this.#state.is !== "idle") await this.#state.over.promise;
  }

  /** Runs a turn when the turns before it have ended. Work that no prompt has requested has a handler of its own. */
  enqueue(
    request: IncomingPromptRequest,
    context: WorkContext,
    handler: PlayTurn = this.#handler,
  ): Promise<PromptResponse> {
    if (this.#state.is === "idle") return this.#start(request, context, handler);
    this.#queue ??= new Set();
    const queue = this.#queue;
    const { promise, resolve } = deferred<PromptResponse>();
    const leave = (): void => {
      queue.delete(prompt);
      context.signal.removeEventListener("abort", prompt.cancel);
    };
    const prompt: QueuedPrompt = {
      start: () => {
        leave();
        resolve(this.#start(request, context, handler));
      },
      cancel: () => {
        leave();
        resolve({ stopReason: "cancelled" });
      },
    };
    queue.add(prompt);
    onAbort(context.signal, prompt.cancel);
    return promise;
  }

  #start(request: IncomingPromptRequest, context: WorkContext, handler: PlayTurn): Promise<PromptResponse> {
    const turn = new RunningTurn(this.#peer, this.#channel, request, this.#policy);
    const prompts = [context];
    const over = deferred<void>();
    this.#state = { is: "running", turn, prompts, over };
    const { version } = this.#channel;
    const play: PlayTurn = (played) => version?.play(played, () => handler(played)) ?? handler(played);
    turn.play(play, context.signal, () => this.#respond(prompts, over));
    return turn.response;
  }

  /**
   * Starts the next turn once the responses are sent. `afterResponse` calls its callback after a response with a
   * result, but not after an error response. The timer covers this case: an error response is sent before the timer
   * fires.
   */
  #respond(prompts: readonly WorkContext[], over: Deferred<void>): void {
    const state: RunnerState = { is: "responding", over };
    this.#state = state;
    const next = (): void => {
      clearTimeout(timer);
      if (this.#state !== state) return;
      this.#state = idle;
      over.resolve();
      const [prompt] = this.#queue ?? none;
      prompt?.start();
    };
    const timer = setTimeout(next);
    let pendingResponses = prompts.length;
    for (const { afterResponse } of prompts) {
      afterResponse(() => {
        pendingResponses -= 1;
        if (pendingResponses === 0) next();
      });
    }
  }
}
