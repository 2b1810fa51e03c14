import { ConnectionError, isConnectionError, isRpcError } from "@acp-kit/protocol";
import { type Deferred, deferred } from "@acp-kit/protocol/internal";
import type { ContentBlock, IncomingSessionUpdate, PromptResponse } from "@acp-kit/types";
import type { IncomingBackgroundWork } from "@acp-kit/types/v2";
import { isAuthRequired } from "../authentication/auth-required-error.js";
import { Cell } from "../cell.js";
import type { ClientPeer } from "../client-peer.js";
import { MessageText } from "../message-text.js";
import type { TurnEndedEvent } from "../transcript/transcript-event.js";
import type { VersionConnection, VersionSession } from "../version.js";
import type { PromptOptions, PromptTurn, Session } from "./session.js";
import type { Attachable, SessionState } from "./state.js";
import { Turn } from "./turn.js";
import type { TurnOutcome } from "./turn-notice.js";
import { canFollow, isActive, isBeingCancelled, type TurnPhase } from "./turn-phase.js";
import { UpdateQueue } from "./update-queue.js";

/** A turn that this client did not start and whose end the agent has not reported. */
interface JoinedTurn {
  readonly turn: Turn;
  /** The connection over which the agent reports the end. */
  readonly connection: ClientPeer["connection"];
  readonly end: Deferred<PromptResponse>;
}

const noTurns: readonly PromptTurn[] = [];
const cancelled: PromptResponse = { stopReason: "cancelled" };

/**
 * The turns of a session: one runs at a time, the others wait in order. A turn that this client did not start comes
 * before the prompts of this client that the agent has not begun.
 */
export class Turns {
  /** The turns that are not settled: first the running turn, then the queued turns. */
  readonly list: Cell<readonly PromptTurn[]> = new Cell(noTurns);
  readonly background: Cell<readonly IncomingBackgroundWork[] | undefined> = new Cell(undefined as never);
  readonly #state: SessionState;
  readonly #session: Session & Attachable;
  readonly #turns: Turn[] = [];
  #current: Turn | undefined;
  #joined: JoinedTurn | undefined;
  /** The latest connection over which a turn was joined. */
  #watched: ClientPeer["connection"] | undefined;
  /** Continues the prompt that waits until it is the first turn. */
  #goOn: (() => void) | undefined;
  /** The latest turn if a deadline has ended it: the agent has not responded, and may still work on it. */
  #abandoned: Turn | undefined;
  /** The part of the session that belongs to another version than 1, with its connection. */
  #version: { readonly of: VersionConnection; readonly session: VersionSession } | undefined;

  constructor(state: SessionState, session: Session & Attachable) {
    this.#state = state;
    this.#session = session;
  }

  /** The part of the session that belongs to the version of the current connection, if it is not version 1. */
  get version(): VersionSession | undefined {
    const { version } = this.#state.client.link.current;
    return version && this.of(version);
  }

  /** Returns the part of the session that belongs to the version of a connection. */
  of(version: VersionConnection): VersionSession {
    if (this.#version?.of !== version) this.#version = { of: version, session: version.session(this.#state, this) };
    return this.#version.session;
  }

  /**
   * The turn to which updates belong now: from the moment its prompt is sent, or its start is reported, until its end
   * arrives.
   */
  get current(): Turn | undefined {
    return this.#current;
  }

  /** Whether a turn was cancelled and the agent has not responded to its prompt. */
  get isCancelling(): boolean {
    return this.#abandoned !== undefined || isBeingCancelled(this.#current?.phase);
  }

  /** Whether a turn is running, or listeners have not finished with its updates. */
  get isBusy(): boolean {
    return this.#turns.length > 0;
  }

  /** Whether the agent has a prompt of this client. */
  get hasOwn(): boolean {
    return this.#turns.some(({ isJoined, phase }) => !isJoined && isActive(phase));
  }

  /** Creates a turn that is not in the queue yet. Without a prompt, it is one that this client did not start. */
  create(prompt?: readonly ContentBlock[], options?: PromptOptions): Turn {
    const { client, sessionId } = this.#state;
    const parts = {
      session: this.#session,
      updates: new UpdateQueue<IncomingSessionUpdate>(client.backlog, sessionId, client.limits),
      isHandling: () => this.#state.handling > 0,
      isPaused: () => this.#state.peer.connection.paused,
      isBehind: (turn: Turn) => {
        if (turn.sent !== undefined && isActive(turn.phase)) return false;
        return this.#turns[0] !== turn && this.#current !== turn;
      },
      cancel: (turn: Turn) => this.#cancel(turn),
      createText: () => this.version?.createText() ?? new MessageText(),
    };
    return new Turn(parts, prompt, options);
  }

  /** Runs the turn immediately, or queues it if another turn of the session is not finished. */
  add(turn: Turn): void {
    this.#turns.push(turn);
    this.#next();
    this.#changed();
  }

  /** Adds the turn that the agent runs and that this client did not start, unless it is known. */
  join(): void {
    const { connection } = this.#state.peer;
    if (this.#joined?.connection === connection) return;
    const error = new ConnectionError("closed", "The connection over which the agent reported the turn has ended");
    this.endJoined({ error });
    const turn = this.create();
    turn.onInserted(undefined);
    const end = deferred<PromptResponse>();
    this.#joined = { turn, connection, end };
    const index = this.#turns.findIndex(({ phase }) => phase !== "responded");
    this.#turns.splice(index < 0 ? this.#turns.length : index, 0, turn);
    this.#current = this.#findCurrent();
    this.#abandoned = undefined; // from now on, requests of the agent belong to this turn
    this.#watch(connection);
    this.#state.transcript.apply({ type: "turn_joined" });
    void this.#run(turn, () => end.promise);
    this.#changed();
  }

  /** Ends the turn that {@link join} has added. Does nothing if there is none. */
  endJoined(outcome: TurnOutcome): void {
    const joined = this.#joined;
    if (joined === undefined) return;
    this.#joined = undefined;
    const { turn, end } = joined;
    this.move(turn, "responded");
    if ("error" in outcome) {
      turn.endUpdates(outcome);
      end.reject(outcome.error);
    } else {
      turn.endUpdates();
      end.resolve(outcome.response);
    }
  }

  #cancel(turn: Turn): void {
    if (turn.isSettled) return;
    if (turn.phase === "queued") {
      turn.resolve(cancelled);
      this.#remove(turn);
    } else if (turn.phase === "preparing") turn.resolve(cancelled);
    else if (this.move(turn, "withdrawn")) turn.sent?.withdraw();
    else if (this.move(turn, "cancelling")) this.#sendCancel(turn);
  }

  /** Cancels all turns: first the queued ones, then those that were sent, the latest first. */
  cancelAll(): void {
    for (const turn of [...this.#turns]) if (turn.phase === "queued") this.#cancel(turn);
    for (const turn of this.#turns.toReversed()) this.#cancel(turn);
    const { version } = this;
    if (version?.isWorking && !this.isCancelling) version.cancel(); // the agent works without a prompt
  }

  /**
   * Cancels the prompts of this client, and ends a turn that this client did not start with an error, because the
   * session is being closed.
   */
  close(): void {
    const { sessionId } = this.#state;
    this.endJoined({ error: new ConnectionError("closed", `Session ${sessionId} was closed while a turn ran`) });
    this.cancelAll();
  }

  #next(): void {
    const [first] = this.#turns;
    if (this.#sendsAtOnce) for (const turn of [...this.#turns]) this.#start(turn);
    else if (first !== undefined) this.#start(first);
    if (first?.phase === "preparing") this.#goOn?.();
  }

  #start(turn: Turn): void {
    if (turn.phase !== "queued" || !this.move(turn, "preparing")) return;
    const send = (signal: AbortSignal) =>
      this.#state.client.login.run(
        () => this.#send(turn, signal),
        () => !turn.hasBegun,
      );
    void this.#run(turn, send);
  }

  get #sendsAtOnce(): boolean {
    return this.#state.client.concurrentPrompts === "send" && this.version !== undefined;
  }

  async #run(turn: Turn, work: (signal: AbortSignal) => Promise<PromptResponse>): Promise<void> {
    const abandon = new AbortController();
    try {
      const response = await Promise.race([
        work(abandon.signal),
        turn.result, // settles without a response if a deadline passes
      ]);
      this.#logEnd(turn, { stopReason: response.stopReason, response });
      await this.#state.listeners.catchingUp; // the result settles after listeners have finished
      turn.resolve(response);
    } catch (error) {
      this.#logEnd(turn, { error: describe(error) });
      if (isRpcError(error)) await this.#state.listeners.catchingUp;
      turn.reject(error);
    } finally {
      if (turn.phase === "cancelling") this.#abandoned = turn;
      if (this.#joined?.turn === turn) this.#joined = undefined; // a deadline has passed
      this.move(turn, "responded");
      turn.endUpdates();
      abandon.abort(); // after a deadline has passed, the request must not wait for a response any longer
      this.#remove(turn);
    }
  }

  async #send(turn: Turn, signal: AbortSignal): Promise<PromptResponse> {
    const attaching = turn.isSettled ? undefined : this.#session.attach();
    if (attaching !== undefined) await attaching;
    while (!this.#sendsAtOnce && this.#turns[0] !== turn && !turn.isSettled) await this.#untilFirst();
    // The turn was cancelled during the preparation
    if (turn.isSettled || !this.move(turn, "sending")) return turn.result;
    this.#abandoned = undefined; // from now on, requests of the agent belong to this turn
    const { sessionId, peer } = this.#state;
    const { version } = this;
    const { prompt, meta } = turn;
    if (version === undefined) this.logPrompt(turn);
    if (isBeingCancelled(turn.phase)) return cancelled; // a subscriber of the transcript has cancelled it
    const params = { sessionId, prompt: [...prompt], ...(meta && { _meta: meta }) };
    let wasCancelled = false;
    const onSettled = (): void => {
      wasCancelled = isBeingCancelled(turn.phase);
      this.move(turn, "responded");
    };
    const request =
      version === undefined
        ? peer.request("session/prompt", params, { signal, onSettled })
        : version.prompt(turn, { params, signal, onSettled });
    if (version === undefined || this.#turns[0] === turn) turn.clock.start();
    if (version === undefined) {
      this.begin(turn);
      turn.onInserted(undefined);
    }
    try {
      const response = await request;
      turn.clock.hold(); // listeners can still run, but the agent has finished
      this.#responded(turn);
      turn.endUpdates();
      return response;
    } catch (error) {
      if (error !== signal.reason) this.#responded(turn);
      turn.clock.stop();
      this.move(turn, "responded");
      if (isAuthRequired(error) && wasCancelled) return cancelled; // a cancelled turn needs no login
      if (!turn.isSettled && !turn.hasBegun && this.#state.reopens?.(error) && this.move(turn, "preparing"))
        return this.#send(turn, signal);
      if (!isAuthRequired(error) || turn.isSettled || turn.hasBegun) {
        turn.endUpdates({ error });
        throw error;
      }
      this.move(turn, "preparing"); // the prompt is sent again after the login
      throw error;
    }
  }

  /** Called when the agent has the prompt: in version 1, when it was sent; else, when it works on the prompt. */
  begin(turn: Turn): void {
    if (!this.move(turn, "running") && this.move(turn, "cancelling")) this.#sendCancel(turn);
  }

  /** Adds the prompt to the transcript, with the agent's id of it, if known. */
  logPrompt(turn: Turn, named: { readonly messageId?: string } = {}): void {
    turn.isLogged = true;
    this.#state.transcript.apply({ type: "prompt_sent", prompt: turn.prompt, ...named });
  }

  /** Waits until another turn may be the first one. Only one prompt at a time is being prepared. */
  #untilFirst(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  #responded(turn: Turn): void {
    if (this.#abandoned === turn) this.#abandoned = undefined;
  }

  #sendCancel(turn: Turn): void {
    const { sessionId, peer, transcript } = this.#state;
    const { version } = this;
    if (version === undefined) void peer.notify("session/cancel", { sessionId });
    if (this.#current === turn) transcript.apply({ type: "turn_cancelled" });
    if (version !== undefined) version.cancel();
    else if (this.#current === turn) this.#state.cancelRequests();
    turn.clock.startCancelTimeout();
  }

  /**
   * Ends a joined turn when its connection ends. One callback for all turns of the connection, so that it keeps none of
   * them in memory.
   */
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
  move(turn: Turn, to: TurnPhase): boolean {
    const from = turn.phase;
    if (!canFollow(from, to)) return false;
    const wasCurrent = this.#current === turn;
    turn.phase = to;
    this.#current = this.#findCurrent();
    if (to === "responded" && isActive(from)) this.#onEnded(turn, wasCurrent);
    return true;
  }

  /** Called when the end of a turn arrives, because later updates don't belong to the turn. */
  #onEnded(turn: Turn, wasCurrent: boolean): void {
    const { calls, client, sessionId } = this.#state;
    const { version } = this;
    if (wasCurrent) calls?.endTurn();
    this.#logEnd(turn, {});
    if (wasCurrent) client.permissions.cancel("turn_ended", sessionId, (callId) => !version?.continues(callId));
  }

  #logEnd({ isJoined, isLogged }: Turn, end: Omit<TurnEndedEvent, "type" | "joined">): void {
    if (isJoined || isLogged)
      this.#state.transcript.apply({ type: "turn_ended", ...(isJoined && { joined: true }), ...end });
  }

  #findCurrent(): Turn | undefined {
    return this.#version?.session.owner ?? this.#turns.find(({ phase, sent }) => isActive(phase) && sent === undefined);
  }

  #remove(turn: Turn): void {
    this.move(turn, "ended");
    this.#turns.splice(this.#turns.indexOf(turn), 1);
    this.#next();
    this.#changed();
  }

  #changed(): void {
    this.list.set([...this.#turns]);
  }

  /** Called when the turn to which updates belong, or the state of a turn, may have changed. */
  refresh(): void {
    this.#current = this.#findCurrent();
    this.#changed();
  }
}

function describe(error: unknown): NonNullable<TurnEndedEvent["error"]> {
  const code = isRpcError(error) || isConnectionError(error) ? error.code : undefined;
  return { message: error instanceof Error ? error.message : String(error), ...(code !== undefined && { code }) };
}
