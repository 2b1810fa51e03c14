import { isConnectionError, isRpcError } from "@acp-kit/protocol";
import { after, deferred, JsonRpcErrorCode, onAbort } from "@acp-kit/protocol/internal";
import type { IncomingPromptRequest, PromptResponse, StopReason } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import type { SessionChannel } from "./session-channel.js";
import { type PlayTurn, Turn, type TurnControl } from "./turn.js";
import type { PromptResult, TurnPolicy } from "./turn-policy.js";

const cancelled: PromptResponse = { stopReason: "cancelled" };

/**
 * A turn and the run of its prompt handler. The object is created before the handler starts: if the handler immediately
 * calls `cancelTurn`, it cancels this turn.
 */
export class RunningTurn {
  /** The response to the prompt. */
  readonly response: Promise<PromptResponse>;
  readonly #peer: AgentPeer;
  readonly #channel: SessionChannel;
  readonly #policy: Pick<TurnPolicy, "cancelGraceMs" | "keepTurns">;
  readonly #control: TurnControl;
  readonly #respond: (response: Promise<PromptResponse>) => void;
  readonly #graceOver = deferred<void>();
  #endGrace: (() => void) | undefined;

  constructor(peer: AgentPeer, channel: SessionChannel, request: IncomingPromptRequest, policy: TurnPolicy) {
    this.#peer = peer;
    this.#channel = channel;
    this.#policy = policy;
    this.#control = Turn.open(peer, channel, request);
    const { promise, resolve } = deferred<PromptResponse>();
    promise.catch(() => {});
    this.response = promise;
    this.#respond = resolve;
  }

  /** Offers a further prompt to the turn; returns whether the handler accepts it. */
  offer(request: IncomingPromptRequest): boolean {
    return this.#control.offer(request);
  }

  /** Aborts the turn's signal. Only the first call has an effect. */
  cancel(reason: unknown): void {
    if (this.#control.turn.signal.aborted) return;
    this.#endGrace = after(this.#policy.cancelGraceMs, this.#graceOver.resolve, { keepAlive: true });
    this.#control.abort(reason);
  }

  /**
   * Starts the handler. `signal` is the signal of the request `session/prompt`; `onEnd` is called once, before
   * {@link response} settles.
   */
  play(handler: PlayTurn, signal: AbortSignal, onEnd: () => void): void {
    const aborted = (): void => {
      if (!this.#policy.keepTurns || !isConnectionError(signal.reason)) this.cancel(signal.reason);
    };
    onAbort(signal, aborted);
    const response = this.#play(handler).finally(() => {
      this.#endGrace?.();
      signal.removeEventListener("abort", aborted);
      onEnd();
    });
    this.#respond(response);
  }

  /** Runs the handler. When it settles, the turn ends: later updates are dropped. */
  async #play(handler: PlayTurn): Promise<PromptResponse> {
    const { turn, end } = this.#control;
    const played = (async () => handler(turn))();
    played.catch(() => {}); // after the grace time, no other code handles a rejection of the handler
    try {
      const ended = await Promise.race([played, this.#graceOver.promise.then(() => cancelled)]);
      if (ended === cancelled) {
        const message = `The prompt handler of session ${turn.sessionId} did not stop when it was cancelled`;
        this.#peer.report({ code: "cancel_ignored", message });
      }
      const result = responseOf(ended);
      const { aborted } = turn.signal;
      end(aborted ? "aborted" : "finished");
      await this.#channel.settled();
      return aborted ? { ...result, stopReason: "cancelled" } : result;
    } catch (error) {
      end("aborted");
      // The turn fails with the handler's error, and its updates are sent before the response.
      await this.#channel.settled()?.catch(() => {});
      if (turn.signal.aborted || isAbort(error)) return cancelled;
      throw error;
    }
  }
}

function responseOf(result: PromptResult): PromptResponse {
  if (typeof result === "object" && result !== null) return result; // JavaScript handlers also return `null`
  return { stopReason: (result as StopReason | undefined) ?? "end_turn" };
}

/**
 * Returns whether an error means that an operation was aborted. The turn is then cancelled and not failed, even if the
 * client did not send the cancel.
 */
function isAbort(error: unknown): boolean {
  if (isRpcError(error)) return error.code === JsonRpcErrorCode.requestCancelled;
  return typeof error === "object" && error !== null && (error as { name?: unknown }).name === "AbortError";
}
