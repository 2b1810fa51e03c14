import { isRpcError } from "@acp-kit/protocol";
import type { ContentBlock, PromptResponse } from "@acp-kit/types";
import { isAuthRequired } from "../authentication/auth-required-error.js";
import { Cell } from "../cell.js";
import type { ClientPeer } from "../client-peer.js";
import type { PromptTurn } from "../prompt-turn.js";
import type { TurnControl } from "../turn-control.js";
import { currentOf, idle, moved, type PromptPhase, type PromptState } from "./prompt-state.js";

/** The members of a session that its {@link PromptQueue} uses. */
export interface PromptQueueHost {
  readonly sessionId: string;
  /** The current connection. */
  readonly peer: ClientPeer;
  /** Opens the session again over the current connection; returns `undefined` if it is already open there. */
  attach(): Promise<void> | undefined;
  /** Runs a call. If the agent requires a login, logs in and runs the call again, unless `mayRepeat` returns `false`. */
  withLogin<Result>(run: () => Promise<Result>, mayRepeat: () => boolean): Promise<Result>;
  /** Whether a listener of the session is running. */
  readonly isHandling: boolean;
  /** Returns a promise that resolves when the listeners have finished with all updates so far, or `undefined` if they have already finished. */
  listenersIdle(): Promise<void> | undefined;
  /** Called when the running turn is being cancelled. */
  onCancelling(): void;
  /** Called before a prompt is sent. */
  onSending(prompt: readonly ContentBlock[]): void;
  /** Called when the response arrives, because later updates don't belong to the turn. A call of `onResponse` or `onFailed` follows, unless the prompt is sent again after a login. */
  onEnded(): void;
  onResponse(response: PromptResponse): void;
  onFailed(error: unknown): void;
}

const noTurns: readonly PromptTurn[] = [];
const cancelled: PromptResponse = { stopReason: "cancelled" };

/** The prompts of a session: one runs at a time, the others wait in order. */
export class PromptQueue {
  /** The turns that are not settled: first the running turn, then the queued turns. */
  readonly turns: Cell<readonly PromptTurn[]> = new Cell(noTurns);
  readonly #host: PromptQueueHost;
  readonly #queued: TurnControl[] = [];
  #state: PromptState = idle;
  /** The latest turn if a deadline has ended it: the agent has not responded, and may still work on it. */
  #abandoned: TurnControl | undefined;

  constructor(host: PromptQueueHost) {
    this.#host = host;
  }

  /** The turn to which updates belong now: from the moment its prompt is sent until its response arrives. */
  get current(): TurnControl | undefined {
    return currentOf(this.#state);
  }

  /** Whether a turn was cancelled and the agent has not responded to its prompt. */
  get isCancelling(): boolean {
    return this.#abandoned !== undefined || this.#state.is === "withdrawn" || this.#state.is === "cancelling";
  }

  get isHandling(): boolean {
    return this.#host.isHandling;
  }

  get isPaused(): boolean {
    return this.#host.peer.connection.paused;
  }

  /** Whether a turn is running, or listeners have not finished with its updates. */
  get isBusy(): boolean {
    return this.#state.is !== "idle";
  }

  /** Runs the turn immediately, or queues it if another turn of the session is not finished. */
  add(control: TurnControl): void {
    if (this.isBusy) this.#queued.push(control);
    else void this.#run(control);
    this.#changed();
  }

  /** Removes a turn that is queued, or sends `session/cancel` for a turn that is running. */
  cancel(control: TurnControl): void {
    if (control.settled || this.remove(control)) return;
    if (this.#state.control !== control) return;
    if (this.#state.is === "preparing") control.resolve(cancelled);
    else if (this.#move(control, "withdrawn")) return;
    else if (this.#move(control, "cancelling")) this.#sendCancel(control);
  }

  /** Removes a queued turn. Returns `false` if it is not queued. */
  remove(control: TurnControl): boolean {
    const index = this.#queued.indexOf(control);
    if (index < 0) return false;
    this.#queued.splice(index, 1);
    control.resolve(cancelled);
    this.#changed();
    return true;
  }

  cancelAll(): void {
    for (const control of [...this.#queued]) this.remove(control);
    if (this.#state.is !== "idle") this.cancel(this.#state.control);
  }

  stateOf(control: TurnControl): "queued" | "running" | "settled" {
    if (control.settled) return "settled";
    return this.#queued.includes(control) ? "queued" : "running";
  }

  async #run(control: TurnControl): Promise<void> {
    this.#state = { is: "preparing", control };
    const abandon = new AbortController();
    try {
      const response = await Promise.race([
        this.#host.withLogin(
          () => this.#send(control, abandon.signal),
          () => !control.hasBegun,
        ),
        control.turn.result, // settles without a response if a deadline passes
      ]);
      this.#host.onResponse(response);
      await this.#host.listenersIdle(); // the result settles after listeners have finished
      control.resolve(response);
    } catch (error) {
      this.#host.onFailed(error);
      if (isRpcError(error)) await this.#host.listenersIdle();
      control.reject(error);
    } finally {
      if (this.#state.is === "cancelling") this.#abandoned = control;
      this.#move(control, "responded");
      control.end();
      abandon.abort(); // after a deadline has passed, the request must not wait for a response any longer
      this.#state = idle;
      const next = this.#queued.shift();
      if (next !== undefined) void this.#run(next);
      this.#changed();
    }
  }

  async #send(control: TurnControl, signal: AbortSignal): Promise<PromptResponse> {
    const attaching = control.settled ? undefined : this.#host.attach();
    if (attaching !== undefined) await attaching;
    if (control.settled || !this.#move(control, "sending")) return control.turn.result; // the turn was cancelled during the preparation
    this.#abandoned = undefined; // from now on, requests of the agent belong to this turn
    const { sessionId } = this.#host;
    const { prompt, meta } = control;
    this.#host.onSending(prompt);
    if (this.isCancelling) return cancelled; // a subscriber of the transcript has cancelled it
    const params = { sessionId, prompt: [...prompt], ...(meta && { _meta: meta }) };
    let wasCancelled = false;
    const onSettled = (): void => {
      wasCancelled = this.isCancelling;
      this.#move(control, "responded");
    };
    const request = this.#host.peer.request("session/prompt", params, { signal, onSettled });
    control.clock.start();
    if (!this.#move(control, "running") && this.#move(control, "cancelling")) this.#sendCancel(control);
    try {
      const response = await request;
      control.clock.hold(); // listeners can still run, but the agent has finished
      this.#responded(control);
      control.end();
      return response;
    } catch (error) {
      if (error !== signal.reason) this.#responded(control);
      control.clock.stop();
      this.#move(control, "responded");
      if (isAuthRequired(error) && wasCancelled) return cancelled; // a cancelled turn needs no login
      if (!isAuthRequired(error) || control.settled || control.hasBegun) {
        control.fail(error);
        throw error;
      }
      this.#move(control, "preparing"); // the prompt is sent again after the login
      throw error;
    }
  }

  #responded(control: TurnControl): void {
    if (this.#abandoned === control) this.#abandoned = undefined;
  }

  #sendCancel(control: TurnControl): void {
    void this.#host.peer.notify("session/cancel", { sessionId: this.#host.sessionId });
    this.#host.onCancelling();
    control.clock.startCancelTimeout();
  }

  /**
   * Changes the phase of the current turn and returns whether it changed. The phase becomes `responded` as soon as the
   * connection reads the response: an update that it reads immediately afterwards doesn't belong to the turn any more.
   */
  #move(control: TurnControl, to: PromptPhase): boolean {
    const before = this.#state;
    const after = moved(before, control, to);
    if (after === undefined) return false;
    this.#state = after;
    if (to === "responded" && currentOf(before) !== undefined) this.#host.onEnded();
    return true;
  }

  #changed(): void {
    const { control } = this.#state;
    const turns = [control, ...this.#queued].flatMap((control) => (control ? [control.turn] : []));
    this.turns.set(turns);
  }
}
