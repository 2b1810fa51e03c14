import { isRpcError } from "@acp-kit/protocol";
import type { ContentBlock, PromptResponse } from "@acp-kit/types";
import { isAuthRequired } from "../authentication/auth-required-error.js";
import { Cell } from "../cell.js";
import type { ClientPeer } from "../client-peer.js";
import type { PromptTurn } from "../prompt-turn.js";
import type { TurnControl } from "../turn-control.js";
import { currentOf, idle, moved, type PromptPhase, type PromptState } from "./prompt-state.js";

/** What a {@link PromptQueue} needs of its session. */
export interface PromptQueueHost {
  readonly sessionId: string;
  /** The current connection. */
  readonly peer: ClientPeer;
  /** Nothing when the session is open over the current connection, else a promise that it will be. */
  attach(): Promise<void> | undefined;
  /** Runs something, and once more after a login if it needs one. */
  loggedIn<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Resolves when the listeners have finished with what arrived before. */
  heard(): Promise<void> | undefined;
  /** The running turn is being cancelled. */
  cancelled(): void;
  /** A prompt is being sent. */
  sent(prompt: readonly ContentBlock[]): void;
  /** The answer is here: nothing that follows belongs to the turn. What it says is told a little later. */
  ended(): void;
  answered(response: PromptResponse): void;
  failed(error: unknown): void;
}

const noTurns: readonly PromptTurn[] = [];
const cancelled: PromptResponse = { stopReason: "cancelled" };

/** The prompts of a session: one is played at a time, the others wait in their order. */
export class PromptQueue {
  /** The turns that are not settled: the one that runs first, then those that wait. */
  readonly turns: Cell<readonly PromptTurn[]> = new Cell(noTurns);
  readonly #host: PromptQueueHost;
  readonly #waiting: TurnControl[] = [];
  #state: PromptState = idle;

  constructor(host: PromptQueueHost) {
    this.#host = host;
  }

  /** The turn whose updates come now: from the moment it is sent until its answer arrives. */
  get current(): TurnControl | undefined {
    return currentOf(this.#state);
  }

  get cancelling(): boolean {
    return this.#state.is === "withdrawn" || this.#state.is === "cancelling";
  }

  /** A turn is in play, or its listeners still finish. */
  get busy(): boolean {
    return this.#state.is !== "idle";
  }

  /** Plays the turn now, or when those before it are through. */
  add(control: TurnControl): void {
    if (this.busy) this.#waiting.push(control);
    else void this.#play(control);
    this.#changed();
  }

  /** A turn that waits is not sent at all; one that runs is cancelled by the agent. */
  cancel(control: TurnControl): void {
    if (control.settled || this.remove(control)) return;
    if (this.#state.control !== control) return;
    if (this.#state.is === "preparing") control.resolve(cancelled);
    else if (this.#move(control, "withdrawn")) return;
    else if (this.#move(control, "cancelling")) this.#tellAgent(control);
  }

  /** Takes out a turn that waits. `false` when it is not waiting any more. */
  remove(control: TurnControl): boolean {
    const index = this.#waiting.indexOf(control);
    if (index < 0) return false;
    this.#waiting.splice(index, 1);
    control.resolve(cancelled);
    this.#changed();
    return true;
  }

  cancelAll(): void {
    for (const control of [...this.#waiting]) this.remove(control);
    if (this.#state.is !== "idle") this.cancel(this.#state.control);
  }

  stateOf(control: TurnControl): "queued" | "running" | "settled" {
    if (control.settled) return "settled";
    return this.#waiting.includes(control) ? "queued" : "running";
  }

  async #play(control: TurnControl): Promise<void> {
    this.#state = { is: "preparing", control };
    const abandon = new AbortController();
    try {
      const response = await Promise.race([
        this.#host.loggedIn(() => this.#send(control, abandon.signal)),
        control.turn.result, // the turn may have given up
      ]);
      this.#host.answered(response);
      await this.#host.heard(); // it had arrived before: its listeners finish first
      control.resolve(response);
    } catch (error) {
      this.#host.failed(error);
      if (isRpcError(error)) await this.#host.heard();
      control.reject(error);
    } finally {
      this.#move(control, "answered");
      control.ended();
      abandon.abort(); // a turn that gave up doesn't wait for its answer any more
      this.#state = idle;
      const next = this.#waiting.shift();
      if (next !== undefined) void this.#play(next);
      this.#changed();
    }
  }

  async #send(control: TurnControl, signal: AbortSignal): Promise<PromptResponse> {
    const attaching = control.settled ? undefined : this.#host.attach();
    if (attaching !== undefined) await attaching;
    if (control.settled || !this.#move(control, "sending")) return control.turn.result; // cancelled meanwhile
    const { sessionId } = this.#host;
    const { prompt, meta } = control;
    this.#host.sent(prompt);
    if (this.cancelling) return cancelled; // a subscriber of the transcript did that
    const params = { sessionId, prompt: [...prompt], ...(meta && { _meta: meta }) };
    let wasCancelled = false;
    const onSettled = (): void => {
      wasCancelled = this.cancelling;
      this.#move(control, "answered");
    };
    const request = this.#host.peer.request("session/prompt", params, { signal, onSettled });
    control.clock.start();
    if (!this.#move(control, "running") && this.#move(control, "cancelling")) this.#tellAgent(control);
    try {
      const response = await request;
      control.ended();
      return response;
    } catch (error) {
      control.clock.stop();
      this.#move(control, "answered");
      if (isAuthRequired(error) && wasCancelled) return cancelled; // it needs no login any more
      if (!isAuthRequired(error) || control.settled) {
        control.failed(error);
        throw error;
      }
      this.#host.failed(error); // what is sent after the login is another turn for the agent
      this.#move(control, "preparing");
      throw error;
    }
  }

  #tellAgent(control: TurnControl): void {
    void this.#host.peer.notify("session/cancel", { sessionId: this.#host.sessionId });
    this.#host.cancelled();
    control.clock.cancelled();
  }

  /**
   * The one place where the turn in play changes its phase; whether it did. `answered` comes the moment that the answer arrives: what comes
   * behind it in the same chunk is no update of the turn.
   */
  #move(control: TurnControl, to: PromptPhase): boolean {
    const before = this.#state;
    const after = moved(before, control, to);
    if (after === undefined) return false;
    this.#state = after;
    if (to === "answered" && currentOf(before) !== undefined) this.#host.ended();
    return true;
  }

  #changed(): void {
    const { control } = this.#state;
    const turns = [control, ...this.#waiting].flatMap((control) => (control ? [control.turn] : []));
    this.turns.set(turns);
  }
}
