import { agentFailure } from "../agent/agent-failure.js";
import type { AgentSeat } from "../agent/agent-seat.js";
import { type GatewayClock, wallClock } from "../clock.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { errorObjectOf, gatewayError, limitReached } from "../gateway-error.js";
import type { Outcome } from "../journal/journal-entry.js";
import type { AgentRequests } from "./agent-requests.js";
import type { Command } from "./command.js";
import type { OwnedJournal } from "./owned-journal.js";
import { type CurrentTurn, type QueuedPrompt, TurnQueue } from "./turn-queue.js";

/** What {@link SessionTurns} work with. */
export interface SessionTurnsOptions {
  readonly key: SessionKey;
  readonly journal: OwnedJournal;
  readonly seat: AgentSeat;
  readonly requests: AgentRequests;
  readonly clock: GatewayClock;
  readonly emit: GatewayEventListener;
  readonly maxQueuedPrompts: number;
  readonly maxQueuedChars: number;
  readonly cancelGraceMs: number;
  /** Whether the session is still owned here and not being given up. */
  readonly isActive: () => boolean;
  /** A turn begins. */
  readonly onBusy: () => void;
  /** No turn runs and none waits. */
  readonly onIdle: () => void;
  /** The agent does not end a cancelled turn: it has to be ended itself. */
  readonly onStuck: () => void;
}

/** The turns of a session at its owner: one at a time, each journalled before its prompt goes to the agent, and when it ends. */
export class SessionTurns {
  readonly #options: SessionTurnsOptions;
  readonly #queue = new TurnQueue();

  constructor(options: SessionTurnsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#queue.isEmpty;
  }

  /** Queues a prompt, unless it came before: then the outcome of its turn is returned, if it has ended. */
  prompt({ key, client, params, opening }: Extract<Command, { is: "prompt" }>): Outcome | undefined {
    const { journal, maxQueuedPrompts, maxQueuedChars } = this.#options;
    const before = journal.state.ended.find(([ended]) => ended === key);
    if (before !== undefined || this.#queue.has(key)) return before?.[1];
    if (journal.state.lost !== null) throw gatewayError("session_lost", journal.state.lost);
    const chars = JSON.stringify(params).length;
    if (this.#queue.length >= maxQueuedPrompts)
      throw limitReached("maxQueuedPrompts", `At most ${maxQueuedPrompts} prompts may wait`);
    if (this.#queue.current !== undefined && this.#queue.chars + chars > maxQueuedChars)
      throw limitReached("maxQueuedChars", `The prompts that wait may have at most ${maxQueuedChars} characters`);
    this.#queue.add({ key, client, params, opening, chars });
    this.#next();
    return undefined;
  }

  /** Drops the queued prompts of a client and cancels its running turn; without queued prompts, the turn of any client. */
  cancel(client: string): void {
    const { seat, requests, clock, cancelGraceMs } = this.#options;
    const dropped = this.#queue.drop(client);
    this.#drop(dropped, cancelledTurn);
    const turn = this.#queue.current;
    if (turn === undefined || (dropped.length > 0 && turn.prompt.client !== client)) return;
    turn.isCancelled = true;
    if (turn.stage !== "running") return;
    seat.notify("session/cancel", {});
    requests.cancelTurn();
    clock.after(cancelGraceMs, () => {
      if (this.#queue.current !== turn) return;
      this.#end(turn, cancelledTurn);
      this.#options.onStuck();
    });
  }

  /** Cancels the running turn of a session that is being closed: it has no time to end in order. */
  cancelForClose(): void {
    const turn = this.#queue.current;
    if (turn === undefined) return;
    turn.isCancelled = true;
    if (turn.stage === "running") this.#options.seat.notify("session/cancel", {});
  }

  /**
   * Ends the turn of a session that is given up in order. Prompts that wait are sent again by their clients, to the next
   * owner, unless the session is closed for good.
   */
  interrupt(message: string, end: "slept" | "closed"): void {
    const interrupted: Outcome = { error: gatewayError("turn_interrupted", message).toJSON() };
    const { current } = this.#queue;
    if (current !== undefined) {
      this.#queue.end(current);
      const outcome = current.isCancelled ? cancelledTurn : interrupted;
      if (current.stage !== "waking" || current.isCancelled)
        this.#options.journal.append({ type: "turn_ended", key: current.prompt.key, outcome });
    }
    const waiting = this.#queue.drop();
    if (end === "closed") this.#drop(waiting, interrupted);
  }

  /** Forgets the prompts that wait: their clients send them to the next owner. */
  abandon(): void {
    this.#queue.drop();
  }

  #next(): void {
    const { isActive, clock, onIdle, onBusy } = this.#options;
    const turn = isActive() ? this.#queue.begin(clock.now()) : undefined;
    if (turn === undefined) {
      onIdle();
      return;
    }
    onBusy();
    this.#run(turn).catch(() => {}); // it ends with the session
  }

  async #run(turn: CurrentTurn): Promise<void> {
    const { key: session, journal, seat, isActive, clock, emit } = this.#options;
    const { key, params, opening } = turn.prompt;
    const { prompt } = params as { readonly prompt?: unknown };
    const startedNow = () =>
      ({
        type: "turn_started",
        at: wallClock(clock),
        key,
        prompt: Array.isArray(prompt) ? prompt : [],
      }) as const;
    try {
      await seat.wake(opening);
    } catch (error) {
      if (!isActive()) return;
      journal.append(startedNow());
      return this.#end(turn, turn.isCancelled ? cancelledTurn : { error: errorObjectOf(error) });
    }
    if (!isActive()) return;
    turn.stage = "starting";
    journal.append(startedNow());
    await journal.durable();
    if (turn.isCancelled) return this.#end(turn, cancelledTurn);
    turn.stage = "running";
    emit({ type: "turn_started", session });
    // The hooks run when the response arrives, before anything that the agent sent behind it.
    const end = (outcome: Outcome): void => this.#end(turn, outcome);
    seat
      .request("session/prompt", params, opening, {
        decode: (result) => end({ result }),
        readError: (error) => {
          end({ error: error.toJSON() });
          return error;
        },
      })
      .catch((error: unknown) => end({ error: agentFailure(error).toJSON() }));
  }

  /** Appends the turn's end, once, and begins the next. */
  #end(turn: CurrentTurn, outcome: Outcome): void {
    const { key, journal, isActive, clock, emit } = this.#options;
    if (this.#queue.current !== turn || !isActive()) return;
    this.#queue.end(turn);
    journal.append({ type: "turn_ended", key: turn.prompt.key, outcome });
    emit({ type: "turn_ended", session: key, isError: "error" in outcome, durationMs: clock.now() - turn.since });
    this.#next();
    journal.trim().catch(() => {}); // the next turn tries again
  }

  /** Queued prompts that will never run. */
  #drop(prompts: readonly QueuedPrompt[], outcome: Outcome): void {
    for (const { key } of prompts) this.#options.journal.append({ type: "turn_ended", key, outcome });
  }
}

const cancelledTurn: Outcome = { result: { stopReason: "cancelled" } };
