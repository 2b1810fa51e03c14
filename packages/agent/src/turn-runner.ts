import { ErrorCode, isConnectionError, isRpcError, RpcError } from "@acp-kit/protocol";
import type { IncomingPromptRequest, PromptResponse, StopReason } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import type { SessionChannel } from "./session-channel.js";
import { Turn, type TurnControl } from "./turn.js";

/** What a prompt handler answers: why the turn ended. Nothing means `end_turn`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that just ends is the common case
export type PromptResult = StopReason | PromptResponse | void;

/**
 * Handles one turn. It is an async function: were a plain result allowed too, TypeScript would widen the `"end_turn"` of an async one to `string`.
 */
export type PromptHandler = (turn: Turn) => Promise<PromptResult>;

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

interface Waiting {
  /** Starts the turn at once, so that no other prompt can come in between. */
  readonly start: () => void;
  readonly cancel: () => void;
}

const none: readonly never[] = [];

/** The turns of one session: one runs, the others wait. Each prompt is answered exactly once. */
export class TurnRunner {
  readonly #peer: AgentPeer;
  readonly #channel: SessionChannel;
  readonly #handler: PromptHandler;
  readonly #policy: TurnPolicy;
  #running:
    | { readonly control: TurnControl; readonly settled: Promise<PromptResponse>; cancel(reason: unknown): void }
    | undefined;
  #waiting: readonly Waiting[] = none;

  constructor(peer: AgentPeer, channel: SessionChannel, handler: PromptHandler, policy: TurnPolicy) {
    this.#peer = peer;
    this.#channel = channel;
    this.#handler = handler;
    this.#policy = policy;
  }

  /** Runs a prompt, now or when its turn comes. `signal` is that of the request: `$/cancel_request`, the end of the connection. */
  run(request: IncomingPromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const running = this.#running;
    if (running !== undefined) {
      if (this.#policy.concurrentPrompts === "reject") {
        const data = { sessionId: request.sessionId };
        return Promise.reject(new RpcError(ErrorCode.InvalidRequest, "A turn of this session is running", { data }));
      }
      if (this.#policy.concurrentPrompts === "merge" && running.control.turn.offer(request)) return running.settled;
      return this.#enqueue(request, signal);
    }
    return this.#start(request, signal);
  }

  /** Whether a turn runs. */
  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Stops the running turn and those that wait. Without any it does nothing: a later prompt is not affected. */
  cancel(reason: unknown): void {
    for (const { cancel } of this.#waiting) cancel();
    this.#running?.cancel(reason);
  }

  /** Resolves when no turn runs any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.settled.catch(() => {});
  }

  #enqueue(request: IncomingPromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    return new Promise((resolve) => {
      const leave = (): void => {
        signal.removeEventListener("abort", waiting.cancel);
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          resolve(this.#start(request, signal));
        },
        cancel: () => {
          leave();
          resolve({ stopReason: "cancelled" });
        },
      };
      signal.addEventListener("abort", waiting.cancel, { once: true });
      this.#waiting = [...this.#waiting, waiting];
    });
  }

  #start(request: IncomingPromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const control = Turn.open(this.#peer, this.#channel, request);
    let giveUp = (): void => {};
    const patience = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cancel = (reason: unknown): void => {
      if (control.turn.signal.aborted) return;
      timer = setTimeout(giveUp, this.#policy.cancelGraceMs);
      control.abort(reason);
    };
    const aborted = (): void => {
      if (!this.#policy.keepTurns || !isConnectionError(signal.reason)) cancel(signal.reason);
    };
    signal.addEventListener("abort", aborted, { once: true });

    const settled = this.#play(control, patience).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      this.#running = undefined;
      this.#waiting[0]?.start();
    });
    settled.catch(() => {});
    this.#running = { control, settled, cancel };
    if (signal.aborted) aborted();
    return settled;
  }

  /** Lets the handler play the turn; the moment it settles, the turn ends and nothing of it is sent any more. */
  async #play({ turn, end }: TurnControl, patience: Promise<void>): Promise<PromptResponse> {
    const cancelled: PromptResponse = { stopReason: "cancelled" };
    const played = (async () => this.#handler(turn))();
    const late = patience.then(() => {
      const message = `The prompt handler of session ${turn.sessionId} did not stop when it was cancelled`;
      this.#peer.report({ code: "cancel_ignored", message });
      return cancelled;
    });
    played.catch(() => {}); // when patience has run out nobody else looks at it
    try {
      const result = responseOf(await Promise.race([played, late]));
      const { aborted } = turn.signal;
      end(aborted ? "aborted" : "finished");
      await this.#channel.settled();
      return aborted ? { ...result, stopReason: "cancelled" } : result;
    } catch (error) {
      end("aborted");
      if (turn.signal.aborted || isAbort(error)) return cancelled;
      throw error;
    }
  }
}

function responseOf(result: PromptResult): PromptResponse {
  if (typeof result === "object") return result;
  return { stopReason: result ?? "end_turn" };
}

/** An operation that was aborted: cancellation is not a failure, whoever asked for it. */
function isAbort(error: unknown): boolean {
  if (isRpcError(error)) return error.code === ErrorCode.RequestCancelled;
  return typeof error === "object" && error !== null && (error as { name?: unknown }).name === "AbortError";
}
