import { type Budget, Holding, memoryOf } from "@acp-kit/jsonrpc/internal";
import { agentFailure } from "../agent/agent-failure.js";
import type { SessionAgent } from "../agent/session-agent.js";
import { type GatewayClock, wallClock } from "../clock.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { errorObjectOf, gatewayError, limitReached } from "../gateway-error.js";
import type { Outcome } from "../journal/journal-entry.js";
import type { AgentRequests } from "./agent-requests.js";
import type { Command } from "./command.js";
import type { OwnedJournal } from "./owned-journal.js";
import { type CurrentTurn, type QueuedPrompt, TurnQueue } from "./turn-queue.js";

/** Options of {@link SessionTurns}. */
export interface SessionTurnsOptions {
  readonly key: SessionKey;
  readonly journal: OwnedJournal;
  readonly agent: SessionAgent;
  readonly requests: AgentRequests;
  readonly clock: GatewayClock;
  readonly emit: GatewayEventListener;
  readonly maxQueuedPrompts: number;
  /** The budget for the prompts of the session. */
  readonly memory: Budget;
  readonly cancelGraceMs: number;
  /** See {@link OwnedSessionOptions.isUnwritten}. */
  readonly isUnwritten: (key: string) => boolean;
  /** Whether the session is `active` on this replica. */
  readonly isActive: () => boolean;
  /** Whether the next queued prompt may begin. */
  readonly mayBegin: () => boolean;
  /** Called when a turn begins. */
  readonly onBusy: () => void;
  /** Called when no turn runs and none can begin: no prompt is queued, or {@link mayBegin} returns `false`. */
  readonly onIdle: () => void;
  /**
   * Called when the agent does not end a cancelled turn, or does not open the session for it. The agent itself must
   * then be ended.
   */
  readonly onStuck: () => void;
}

/**
 * Runs the turns of a session at its owner, one at a time. The start of a turn is stored in the journal before the
 * agent receives the prompt. The end of the turn is stored too.
 */
export class SessionTurns {
  readonly #options: SessionTurnsOptions;
  readonly #queue = new TurnQueue();

  constructor(options: SessionTurnsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#queue.isEmpty;
  }

  /** Whether the agent has been sent the cancellation of the running turn. */
  get isCancelling(): boolean {
    const { current } = this.#queue;
    return current?.stage === "running" && current.isCancelled;
  }

  get isRunning(): boolean {
    return this.#queue.current !== undefined;
  }

  /** Queues a prompt. For a repeated prompt, returns the outcome of its turn if the turn has ended. */
  prompt({ key, client, params, opening }: Extract<Command, { is: "prompt" }>): Outcome | undefined {
    const { journal, maxQueuedPrompts, memory, isUnwritten } = this.#options;
    const before = journal.state.ended.find(([ended]) => ended === key);
    if (before !== undefined || this.#queue.has(key)) return before?.[1];
    if (journal.state.lost !== null) throw gatewayError("session_lost", journal.state.lost);
    if (isUnwritten(key)) throw gatewayError("engine_unavailable", "The turn can't be written at the moment");
    if (this.#queue.length >= maxQueuedPrompts)
      throw limitReached("maxQueuedPrompts", `At most ${maxQueuedPrompts} prompts may be queued`);
    const holding = new Holding(memory);
    if (!holding.set(memoryOf(params)))
      throw limitReached("maxQueuedBytes", "Too many bytes of prompts are queued: send the prompt again later");
    this.#queue.add({ key, client, params, opening, holding });
    this.#next();
    return undefined;
  }

  /**
   * Drops the queued prompts of a client and cancels its running turn. If the client has no queued prompts, cancels the
   * turn of any client.
   */
  cancel(client: string): void {
    const { clock, cancelGraceMs } = this.#options;
    const dropped = this.#queue.drop(client);
    this.#drop(dropped, cancelledTurn);
    const turn = this.#queue.current;
    if (turn === undefined || (dropped.length > 0 && turn.prompt.client !== client)) return;
    turn.isCancelled = true;
    this.#cancelAtAgent(turn);
    turn.stopGrace ??= clock.after(cancelGraceMs, () => {
      this.#end(turn, cancelledTurn);
      this.#options.onStuck();
    });
  }

  /** Cancels the running turn of a session that is being closed, without waiting for its orderly end. */
  cancelForClose(): void {
    const turn = this.#queue.current;
    if (turn === undefined) return;
    turn.isCancelled = true;
    this.#cancelAtAgent(turn);
  }

  #cancelAtAgent({ stage }: CurrentTurn): void {
    if (stage !== "running") return;
    const { agent, requests } = this.#options;
    agent.notify("session/cancel", {});
    requests.cancelTurn();
  }

  /**
   * Ends the running turn before this replica releases the session, because the session goes to sleep or is closed. If
   * it goes to sleep, the clients or their replicas send queued prompts to the next owner again. If it is closed, the
   * queued prompts are cancelled.
   */
  interrupt(message: string, end: "slept" | "closed"): void {
    const interrupted: Outcome = { error: gatewayError("turn_interrupted", message).toJSON() };
    const { current } = this.#queue;
    const waiting = this.#queue.clear();
    if (current !== undefined) {
      const outcome = current.isCancelled ? cancelledTurn : interrupted;
      if (current.stage !== "waking" || current.isCancelled) this.#appendEnd(current.prompt.key, outcome);
    }
    if (end === "closed") this.#drop(waiting, cancelledTurn);
  }

  /**
   * Removes the queued prompts. The clients or their replicas send them to the next owner again. Returns the keys of
   * the prompts that have no outcome.
   */
  abandon(): string[] {
    const { current } = this.#queue;
    return [...(current === undefined ? [] : [current.prompt]), ...this.#queue.clear()].map(({ key }) => key);
  }

  #next(): void {
    const { mayBegin, clock, onIdle, onBusy } = this.#options;
    const turn = mayBegin() ? this.#queue.begin(clock.now()) : undefined;
    if (turn === undefined) {
      onIdle();
      return;
    }
    onBusy();
    this.#run(turn).catch(() => {}); // an error ends the session, and with it the turn
  }

  async #run(turn: CurrentTurn): Promise<void> {
    const { key: session, journal, agent, isActive, clock, emit } = this.#options;
    const { key, params, opening } = turn.prompt;
    const { prompt } = params as { readonly prompt?: unknown };
    try {
      await agent.wake(opening);
    } catch (error) {
      // Without `turn_started`: a session without a started turn has lost nothing, so the next agent may replace it by
      // a new one.
      return this.#end(turn, turn.isCancelled ? cancelledTurn : { error: errorObjectOf(error) });
    }
    if (!isActive()) return;
    turn.stage = "starting";
    journal.append({ type: "turn_started", at: wallClock(clock), key, prompt: Array.isArray(prompt) ? prompt : [] });
    await journal.durable();
    // Called in `decode` and `readError`: they run when the response arrives, so the turn ends before later messages of
    // the agent are handled.
    const end = (outcome: Outcome): void => this.#end(turn, outcome);
    try {
      const opened = await agent.wake(opening); // the agent may have ended meanwhile
      if (turn.isCancelled) return end(cancelledTurn);
      if (!isActive()) return;
      emit({ type: "turn_started", session });
      turn.stage = "running"; // from now on, a cancellation is sent to the agent, so the agent must have the prompt
      await agent.send(opened, "session/prompt", params, {
        alwaysOrdered: true,
        decode: (result) => end({ result }),
        readError: (error) => {
          end({ error: error.toJSON() });
          return error;
        },
      });
    } catch (error) {
      end({ error: agentFailure(error).toJSON() });
    }
  }

  /** Appends the end of a turn, unless the turn has already ended, and begins the next turn. */
  #end(turn: CurrentTurn, outcome: Outcome): void {
    const { key, journal, isActive, clock, emit } = this.#options;
    if (this.#queue.current !== turn || !isActive()) return;
    this.#queue.end(turn);
    this.#appendEnd(turn.prompt.key, outcome);
    emit({ type: "turn_ended", session: key, isError: "error" in outcome, durationMs: clock.now() - turn.since });
    this.#next();
    journal.trim().catch(() => {}); // the next turn tries again
  }

  /** Settles queued prompts that will never run. */
  #drop(prompts: readonly QueuedPrompt[], outcome: Outcome): void {
    for (const { key } of prompts) this.#appendEnd(key, outcome);
  }

  #appendEnd(key: string, outcome: Outcome): void {
    const { journal } = this.#options;
    const hasStarted = journal.state.turn === key;
    journal.append({ type: "turn_ended", key, outcome, ...(!hasStarted && { started: false as const }) });
  }
}

const cancelledTurn: Outcome = { result: { stopReason: "cancelled" } };
