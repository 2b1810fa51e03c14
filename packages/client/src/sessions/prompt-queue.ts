import { ConnectionError, type Deferred, deferred, isRpcError } from "@acp-kit/protocol";
import type { ContentBlock, PromptResponse } from "@acp-kit/types";
import { isAuthRequired } from "../authentication/auth-required-error.js";
import { Cell } from "../cell.js";
import type { ClientPeer } from "../client-peer.js";
import type { PromptTurn, TurnState } from "../prompt-turn.js";
import type { TurnControl } from "../turn-control.js";
import type { TurnOutcome } from "./turn-notice.js";
import { canFollow, isActive, isBeingCancelled, type TurnPhase } from "./turn-phase.js";

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
  /** Creates the object for a turn that this client did not start. */
  createJoined(): TurnControl;
  /** Called when the agent has reported a turn that this client did not start. */
  onJoined(): void;
  /** Called when the running turn is being cancelled. */
  onCancelling(): void;
  /** Called before a prompt is sent. */
  onSending(prompt: readonly ContentBlock[]): void;
  /** Called when the end of a turn arrives, because later updates don't belong to the turn. A call of `onResponse` or `onFailed` follows, unless the prompt is sent again after a login. */
  onEnded(control: TurnControl, wasCurrent: boolean): void;
  onResponse(control: TurnControl, response: PromptResponse): void;
  onFailed(control: TurnControl, error: unknown): void;
}

/** A turn that this client did not start and whose end the agent has not reported. */
interface JoinedTurn {
  readonly control: TurnControl;
  /** The connection over which the agent reports the end. */
  readonly connection: ClientPeer["connection"];
  readonly end: Deferred<PromptResponse>;
}

const noTurns: readonly PromptTurn[] = [];
const cancelled: PromptResponse = { stopReason: "cancelled" };

/**
 * The turns of a session: one runs at a time, the others wait in order. A turn that this client did not start comes before
 * the prompts of this client that the agent has not begun.
 */
export class PromptQueue {
  /** The turns that are not settled: first the running turn, then the queued turns. */
  readonly turns: Cell<readonly PromptTurn[]> = new Cell(noTurns);
  readonly #host: PromptQueueHost;
  readonly #controls: TurnControl[] = [];
  #current: TurnControl | undefined;
  #joined: JoinedTurn | undefined;
  /** The latest connection over which a turn was joined. */
  #watched: ClientPeer["connection"] | undefined;
  /** Continues the prompt that waits until it is the first turn. */
  #goOn: (() => void) | undefined;
  /** The latest turn if a deadline has ended it: the agent has not responded, and may still work on it. */
  #abandoned: TurnControl | undefined;

  constructor(host: PromptQueueHost) {
    this.#host = host;
  }

  /** The turn to which updates belong now: from the moment its prompt is sent, or its start is reported, until its end arrives. */
  get current(): TurnControl | undefined {
    return this.#current;
  }

  /** Whether a turn was cancelled and the agent has not responded to its prompt. */
  get isCancelling(): boolean {
    return this.#abandoned !== undefined || isBeingCancelled(this.#current?.phase);
  }

  get isHandling(): boolean {
    return this.#host.isHandling;
  }

  get isPaused(): boolean {
    return this.#host.peer.connection.paused;
  }

  /** Whether a turn is running, or listeners have not finished with its updates. */
  get isBusy(): boolean {
    return this.#controls.length > 0;
  }

  /** Whether the agent has a prompt of this client. */
  get hasOwn(): boolean {
    return this.#controls.some(({ isJoined, phase }) => !isJoined && isActive(phase));
  }

  /** Runs the turn immediately, or queues it if another turn of the session is not finished. */
  add(control: TurnControl): void {
    this.#controls.push(control);
    this.#next();
    this.#changed();
  }

  /** Adds the turn that the agent runs and that this client did not start, unless it is known. */
  join(): void {
    const { connection } = this.#host.peer;
    if (this.#joined?.connection === connection) return;
    const error = new ConnectionError("closed", "The connection over which the agent reported the turn has ended");
    this.endJoined({ error });
    const control = this.#host.createJoined();
    const end = deferred<PromptResponse>();
    this.#joined = { control, connection, end };
    const index = this.#controls.findIndex(({ phase }) => phase !== "responded");
    this.#controls.splice(index < 0 ? this.#controls.length : index, 0, control);
    this.#current = this.#findCurrent();
    this.#abandoned = undefined; // from now on, requests of the agent belong to this turn
    this.#watch(connection);
    this.#host.onJoined();
    void this.#run(control, () => end.promise);
    this.#changed();
  }

  /** Ends the turn that {@link join} has added. Does nothing if there is none. */
  endJoined(outcome: TurnOutcome): void {
    const joined = this.#joined;
    if (joined === undefined) return;
    this.#joined = undefined;
    const { control, end } = joined;
    this.#move(control, "responded");
    if ("error" in outcome) {
      control.fail(outcome.error);
      end.reject(outcome.error);
    } else {
      control.end();
      end.resolve(outcome.response);
    }
  }

  /** Removes a turn that is queued, or sends `session/cancel` for a turn that is running. */
  cancel(control: TurnControl): void {
    if (control.settled) return;
    if (control.phase === "queued") {
      control.resolve(cancelled);
      this.#remove(control);
    } else if (control.phase === "preparing") control.resolve(cancelled);
    else if (this.#move(control, "withdrawn")) return;
    else if (this.#move(control, "cancelling")) this.#sendCancel(control);
  }

  /** Cancels a turn that is queued. Returns `false` if it is not queued. */
  remove(control: TurnControl): boolean {
    if (this.stateOf(control) !== "queued") return false;
    this.cancel(control);
    return true;
  }

  /** Cancels all turns: first the queued ones, then those that were sent, the latest first. */
  cancelAll(): void {
    for (const control of [...this.#controls]) if (control.phase === "queued") this.cancel(control);
    for (const control of this.#controls.toReversed()) this.cancel(control);
  }

  /** Cancels the prompts of this client, and ends a turn that this client did not start with an error, because the session is being closed. */
  close(): void {
    const { sessionId } = this.#host;
    this.endJoined({ error: new ConnectionError("closed", `Session ${sessionId} was closed while a turn ran`) });
    this.cancelAll();
  }

  stateOf(control: TurnControl): TurnState {
    if (control.settled) return "settled";
    return this.#controls[0] === control || this.#current === control ? "running" : "queued";
  }

  /** Runs the first turn if it is queued, or lets it go on. */
  #next(): void {
    const [first] = this.#controls;
    if (first?.phase === "queued") {
      this.#move(first, "preparing");
      const send = (signal: AbortSignal) =>
        this.#host.withLogin(
          () => this.#send(first, signal),
          () => !first.hasBegun,
        );
      void this.#run(first, send);
    } else if (first?.phase === "preparing") this.#goOn?.();
  }

  /** Settles a turn with the response that `work` returns. */
  async #run(control: TurnControl, work: (signal: AbortSignal) => Promise<PromptResponse>): Promise<void> {
    const abandon = new AbortController();
    try {
      const response = await Promise.race([
        work(abandon.signal),
        control.turn.result, // settles without a response if a deadline passes
      ]);
      this.#host.onResponse(control, response);
      await this.#host.listenersIdle(); // the result settles after listeners have finished
      control.resolve(response);
    } catch (error) {
      this.#host.onFailed(control, error);
      if (isRpcError(error)) await this.#host.listenersIdle();
      control.reject(error);
    } finally {
      if (control.phase === "cancelling") this.#abandoned = control;
      if (this.#joined?.control === control) this.#joined = undefined; // a deadline has passed
      this.#move(control, "responded");
      control.end();
      abandon.abort(); // after a deadline has passed, the request must not wait for a response any longer
      this.#remove(control);
    }
  }

  async #send(control: TurnControl, signal: AbortSignal): Promise<PromptResponse> {
    const attaching = control.settled ? undefined : this.#host.attach();
    if (attaching !== undefined) await attaching;
    while (this.#controls[0] !== control && !control.settled) await this.#untilFirst();
    if (control.settled || !this.#move(control, "sending")) return control.turn.result; // the turn was cancelled during the preparation
    this.#abandoned = undefined; // from now on, requests of the agent belong to this turn
    const { sessionId } = this.#host;
    const { prompt, meta } = control;
    this.#host.onSending(prompt);
    if (isBeingCancelled(control.phase)) return cancelled; // a subscriber of the transcript has cancelled it
    const params = { sessionId, prompt: [...prompt], ...(meta && { _meta: meta }) };
    let wasCancelled = false;
    const onSettled = (): void => {
      wasCancelled = isBeingCancelled(control.phase);
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

  /** Waits until another turn may be the first one. Only one prompt at a time is being prepared. */
  #untilFirst(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  #responded(control: TurnControl): void {
    if (this.#abandoned === control) this.#abandoned = undefined;
  }

  #sendCancel(control: TurnControl): void {
    void this.#host.peer.notify("session/cancel", { sessionId: this.#host.sessionId });
    if (this.#current === control) this.#host.onCancelling();
    control.clock.startCancelTimeout();
  }

  /** Ends a joined turn when its connection ends. One callback for all turns of the connection, so that it keeps none of them in memory. */
  #watch(connection: ClientPeer["connection"]): void {
    if (this.#watched === connection) return;
    this.#watched = connection;
    void connection.closed.then((error) => {
      if (this.#joined?.connection === connection) this.endJoined({ error });
    });
  }

  /**
   * Changes the phase of a turn and returns whether it changed. The phase becomes `responded` as soon as the connection
   * reads the response: an update that it reads immediately afterwards doesn't belong to the turn any more.
   */
  #move(control: TurnControl, to: TurnPhase): boolean {
    const from = control.phase;
    if (!canFollow(from, to)) return false;
    const wasCurrent = this.#current === control;
    control.phase = to;
    this.#current = this.#findCurrent();
    if (to === "responded" && isActive(from)) this.#host.onEnded(control, wasCurrent);
    return true;
  }

  #findCurrent(): TurnControl | undefined {
    return this.#controls.find(({ phase }) => isActive(phase));
  }

  #remove(control: TurnControl): void {
    this.#move(control, "ended");
    this.#controls.splice(this.#controls.indexOf(control), 1);
    this.#next();
    this.#changed();
  }

  #changed(): void {
    this.turns.set(this.#controls.map(({ turn }) => turn));
  }
}
