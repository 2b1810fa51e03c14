import { isRpcError } from "@acp-kit/protocol";
import type { ContentBlock, PromptResponse } from "@acp-kit/types";
import { isAuthRequired } from "../authentication/auth-required-error.js";
import { Cell } from "../cell.js";
import type { ClientPeer } from "../client-peer.js";
import type { Turn, TurnControl } from "../turn.js";

/** What a {@link PromptQueue} needs of its session. */
export interface PromptQueueHost {
  readonly sessionId: string;
  /** The connection of the moment. */
  readonly peer: ClientPeer;
  /** Nothing when the session is open over the connection of the moment, else a promise that it will be. */
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

const noTurns: readonly Turn[] = [];

/** The prompts of a session: one is played at a time, the others wait in their order. */
export class PromptQueue {
  /** The turns that are not settled: the one that runs first, then those that wait. */
  readonly turns: Cell<readonly Turn[]> = new Cell(noTurns);
  readonly #host: PromptQueueHost;
  readonly #waiting: TurnControl[] = [];
  /** The turn whose updates come now: from the moment it is sent until its answer arrives. */
  #current: TurnControl | undefined;
  /** A turn runs, or its listeners still finish. */
  #playing: TurnControl | undefined;
  /** A turn that waits for its session to be opened again, or for a login. */
  #attaching: TurnControl | undefined;
  #cancelling = false;

  constructor(host: PromptQueueHost) {
    this.#host = host;
  }

  get current(): TurnControl | undefined {
    return this.#current;
  }

  get cancelling(): boolean {
    return this.#cancelling;
  }

  get busy(): boolean {
    return this.#playing !== undefined;
  }

  /** Plays the turn now, or when those before it are through. */
  add(control: TurnControl): void {
    if (this.busy) this.#waiting.push(control);
    else void this.#play(control);
    this.#changed();
  }

  /** A turn that waits is not sent at all; one that runs is cancelled by the agent. */
  cancel(control: TurnControl): void {
    if (control.settled) return;
    if (this.remove(control)) return;
    if (control === this.#attaching) {
      control.resolve({ stopReason: "cancelled" } satisfies PromptResponse);
    } else if (control === this.#current && !this.#cancelling) {
      this.#cancelling = true;
      void this.#host.peer.notify("session/cancel", { sessionId: this.#host.sessionId });
      this.#host.cancelled();
      control.clock.cancelled();
    }
  }

  /** Takes out a turn that waits. `false` when it is not waiting any more. */
  remove(control: TurnControl): boolean {
    const index = this.#waiting.indexOf(control);
    if (index < 0) return false;
    this.#waiting.splice(index, 1);
    control.resolve({ stopReason: "cancelled" } satisfies PromptResponse);
    this.#changed();
    return true;
  }

  cancelAll(): void {
    for (const control of [...this.#waiting]) this.remove(control);
    const running = this.#current ?? this.#attaching;
    if (running !== undefined) this.cancel(running);
  }

  stateOf(control: TurnControl): "queued" | "running" | "settled" {
    if (control.settled) return "settled";
    return this.#waiting.includes(control) ? "queued" : "running";
  }

  async #play(control: TurnControl): Promise<void> {
    this.#playing = control;
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
      this.#attaching = undefined;
      this.#settled();
      control.ended();
      abandon.abort(); // a turn that gave up doesn't wait for its answer any more
      this.#playing = undefined;
      const next = this.#waiting.shift();
      if (next !== undefined) void this.#play(next);
      this.#changed();
    }
  }

  async #send(control: TurnControl, signal: AbortSignal): Promise<PromptResponse> {
    const { sessionId } = this.#host;
    const attaching = this.#host.attach();
    if (attaching !== undefined) {
      this.#attaching = control;
      await attaching;
    }
    this.#attaching = undefined;
    if (control.settled) return control.turn.result; // cancelled meanwhile
    this.#current = control;
    const { prompt, meta } = control;
    this.#host.sent(prompt);
    const params = { sessionId, prompt: [...prompt], ...(meta && { _meta: meta }) };
    const request = this.#host.peer.request("session/prompt", params, { signal, onSettled: () => this.#settled() });
    control.clock.start();
    try {
      const response = await request;
      control.ended();
      return response;
    } catch (error) {
      control.clock.stop();
      if (!isAuthRequired(error) || control.settled) {
        control.ended();
        throw error;
      }
      this.#host.failed(error); // what is sent after the login is another turn for the agent
      this.#attaching = control;
      throw error;
    }
  }

  /** The moment that the answer arrives: what comes behind it in the same chunk is no update of the turn. */
  #settled(): void {
    if (this.#current === undefined) return;
    this.#current = undefined;
    this.#cancelling = false;
    this.#host.ended();
  }

  #changed(): void {
    const turns = [this.#playing, ...this.#waiting].flatMap((control) => (control ? [control.turn] : []));
    this.turns.set(turns);
  }
}
