import { JsonRpcErrorCode, onAbort, type PeerContext, RpcError } from "@acp-kit/protocol";
import type { IncomingPromptRequest, PromptResponse, StopReason } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import { type Deferred, deferred } from "./deferred.js";
import { RunningTurn } from "./running-turn.js";
import type { SessionChannel } from "./session-channel.js";
import type { Turn } from "./turn.js";

/** What a prompt handler returns: why the turn ended. Nothing means `end_turn`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that just ends is the common case
export type PromptResult = StopReason | PromptResponse | void;

/** Runs one turn to its end. */
export type PlayTurn = (turn: Turn) => Promise<PromptResult>;

/**
 * What happens to a prompt that comes while a turn of its session runs: `queue` runs it after, `reject` answers `-32600`, `merge` gives its
 * content to the running turn (`onPrompt`) and answers it together with that turn.
 */
export type ConcurrentPrompts = "queue" | "reject" | "merge";

/** How turns of a session are run. */
export interface TurnPolicy {
  readonly concurrentPrompts: ConcurrentPrompts;
  /** How long a cancelled turn may go on before its prompt is answered `cancelled` all the same. */
  readonly cancelGraceMs: number;
  /** A turn goes on when its connection ends. */
  readonly keepTurns: boolean;
}

/** What a prompt's request has to offer: when it is cancelled, and when its response has left. */
export type PromptContext = Pick<PeerContext, "signal" | "afterResponse">;

/**
 * What a session is doing.
 *
 * - `idle`: nothing; a prompt starts at once.
 * - `running`: a handler plays a turn, for one prompt and those that were merged into it.
 * - `answering`: the handler is done and the responses are on their way out. The next turn waits until they have left, because what it sends
 *   would be taken for updates of the turn before.
 */
type RunnerState =
  | { readonly is: "idle" }
  | {
      readonly is: "running";
      readonly turn: RunningTurn;
      readonly prompts: PromptContext[];
      readonly over: Deferred<void>;
    }
  | { readonly is: "answering"; readonly over: Deferred<void> };

/** A prompt that waits for the turns before it. */
interface WaitingPrompt {
  readonly start: () => void;
  readonly cancel: () => void;
}

const idle: RunnerState = { is: "idle" };
const none: ReadonlySet<WaitingPrompt> = new Set();

/** The turns of one session: one runs, the others wait. Each prompt is answered exactly once. */
export class TurnRunner {
  readonly #peer: AgentPeer;
  readonly #channel: SessionChannel;
  readonly #handler: PlayTurn;
  readonly #policy: TurnPolicy;
  #state: RunnerState = idle;
  /** In their order. Most sessions never have any. */
  #waiting: Set<WaitingPrompt> | undefined;

  constructor(peer: AgentPeer, channel: SessionChannel, handler: PlayTurn, policy: TurnPolicy) {
    this.#peer = peer;
    this.#channel = channel;
    this.#handler = handler;
    this.#policy = policy;
  }

  /** Runs a prompt, now or when its turn comes. */
  run(request: IncomingPromptRequest, context: PromptContext): Promise<PromptResponse> {
    const state = this.#state;
    if (state.is === "idle") return this.#start(request, context);
    if (state.is === "running") {
      const { concurrentPrompts } = this.#policy;
      if (concurrentPrompts === "reject") {
        const data = { sessionId: request.sessionId };
        return Promise.reject(
          new RpcError(JsonRpcErrorCode.invalidRequest, "A turn of this session is running", { data }),
        );
      }
      if (concurrentPrompts === "merge" && state.turn.offer(request)) {
        state.prompts.push(context);
        return state.turn.response;
      }
    }
    return this.#enqueue(request, context);
  }

  /** Whether a turn runs or a prompt waits. */
  get busy(): boolean {
    return this.#state.is === "running" || (this.#waiting ?? none).size > 0;
  }

  /** Stops the running turn and those that wait. Without any it does nothing: a later prompt is not affected. */
  cancel(reason: unknown): void {
    for (const { cancel } of [...(this.#waiting ?? none)]) cancel();
    if (this.#state.is === "running") this.#state.turn.cancel(reason);
  }

  /** Resolves when no turn runs any more and the last one is answered. */
  async idle(): Promise<void> {
    while (this.#state.is !== "idle") await this.#state.over.promise;
  }

  #enqueue(request: IncomingPromptRequest, context: PromptContext): Promise<PromptResponse> {
    this.#waiting ??= new Set();
    const waiting = this.#waiting;
    const { promise, resolve } = deferred<PromptResponse>();
    const leave = (): void => {
      waiting.delete(prompt);
      context.signal.removeEventListener("abort", prompt.cancel);
    };
    const prompt: WaitingPrompt = {
      start: () => {
        leave();
        resolve(this.#start(request, context));
      },
      cancel: () => {
        leave();
        resolve({ stopReason: "cancelled" });
      },
    };
    waiting.add(prompt);
    onAbort(context.signal, prompt.cancel);
    return promise;
  }

  #start(request: IncomingPromptRequest, context: PromptContext): Promise<PromptResponse> {
    const turn = new RunningTurn(this.#peer, this.#channel, request, this.#policy);
    const prompts = [context];
    const over = deferred<void>();
    this.#state = { is: "running", turn, prompts, over };
    turn.play(this.#handler, context.signal, () => this.#answering(prompts, over));
    return turn.response;
  }

  /** The handler is done. Its response leaves in the microtasks that follow; `afterResponse` says when, but not of an error. */
  #answering(prompts: readonly PromptContext[], over: Deferred<void>): void {
    const state: RunnerState = { is: "answering", over };
    this.#state = state;
    const next = (): void => {
      clearTimeout(timer);
      if (this.#state !== state) return;
      this.#state = idle;
      over.resolve();
      const [prompt] = this.#waiting ?? none;
      prompt?.start();
    };
    const timer = setTimeout(next);
    let unanswered = prompts.length;
    for (const { afterResponse } of prompts) {
      afterResponse(() => {
        unanswered -= 1;
        if (unanswered === 0) next();
      });
    }
  }
}
