import { JsonRpcErrorCode, type RpcError } from "@acp-kit/jsonrpc";
import { type Budget, Holding, memoryOf } from "@acp-kit/jsonrpc/internal";
import { agentFailure } from "../agent/agent-failure.js";
import type { OpenedSession, SessionAgent } from "../agent/session-agent.js";
import { type GatewayClock, wallClock } from "../clock.js";
import type { Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { errorObjectOf, gatewayError, limitReached } from "../gateway-error.js";
import type { Outcome } from "../journal/journal-entry.js";
import type { AgentWork, GatewayVersion, ProtocolVersion } from "../version.js";
import type { AgentRequests } from "./agent-requests.js";
import type { Command } from "./command.js";
import type { OwnedJournal } from "./owned-journal.js";
import { isBusy, versioned } from "./session-state.js";
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
  readonly v2?: GatewayVersion | undefined;
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
  /** The work of the agent, if it speaks version 2. */
  #work: { readonly host: unknown; readonly work: AgentWork } | undefined;
  /** Where an agent of version 2 began its present work, in a turn or without one. */
  #workBegun: Position | undefined;

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
   * turn of any client, or the work of the agent without a turn.
   *
   * @param upTo the client's position when it cancelled. A turn of another client, or work of the agent, that began
   * later is not cancelled: the cancellation may arrive long after it was sent, on another connection.
   */
  cancel(client: string, upTo?: Position): void {
    const { clock, cancelGraceMs } = this.#options;
    const dropped = this.#queue.drop(client);
    this.#drop(dropped, cancelledTurn);
    const turn = this.#queue.current;
    if (turn === undefined) {
      if (dropped.length === 0) this.#cancelWork(upTo);
      return;
    }
    const isOwn = turn.prompt.client === client;
    if (!isOwn && (dropped.length > 0 || (upTo !== undefined && !isUpTo(turn.begun, upTo)))) return;
    turn.isCancelled = true;
    this.#cancelAtAgent(turn);
    turn.stopGrace ??= clock.after(cancelGraceMs, () => {
      this.endWork(cancelledTurn);
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

  #cancelWork(upTo: Position | undefined): void {
    if (!isBusy(this.#options.journal.state) || (upTo !== undefined && !isUpTo(this.#workBegun, upTo))) return;
    this.#sendCancel();
  }

  #cancelAtAgent({ stage }: CurrentTurn): void {
    if (stage === "running") this.#sendCancel();
  }

  #sendCancel(): void {
    this.#options.agent.notify("session/cancel", {});
    this.cancelRequests();
  }

  /** Cancels the requests of the running turn. Those of background work stay open. */
  cancelRequests(): void {
    const { journal, requests } = this.#options;
    const background = journal.state.activity?.background;
    const items = Array.isArray(background) ? (background as readonly unknown[]) : [];
    requests.cancelTurn(new Set(items.map((item) => (item as { readonly toolCallId?: unknown } | null)?.toolCallId)));
  }

  /** Handles an update of an agent of version 2. It may end the running turn. */
  agentUpdated(update: unknown): void {
    const { journal } = this.#options;
    if (!isBusy(journal.state)) this.#workBegun = undefined;
    else this.#workBegun ??= journal.end;
    this.#work?.work.update(update);
  }

  /**
   * Reports the end of work that an agent of version 2 does not report itself, because it has ended or does not react
   * to a cancellation.
   */
  endWork(outcome: Outcome): void {
    const { journal, key } = this.#options;
    const { version, activity } = journal.state;
    if (version !== 2 || activity === undefined || !isBusy(journal.state)) return;
    const end = "error" in outcome ? { stopReason: "error", error: outcome.error } : { stopReason: "cancelled" };
    const update = { sessionUpdate: "state_update", state: "idle", ...end };
    const listed = activity.background === undefined ? update : { ...update, background: [] };
    const params = { sessionId: key.sessionId, update: listed };
    journal.append({ type: "update", version, method: "session/update", params });
  }

  #workOf({ host }: OpenedSession): AgentWork | undefined {
    const { v2 } = this.#options;
    if (host.version === 1 || v2 === undefined) return undefined;
    if (this.#work?.host !== host) this.#work = { host, work: v2.work() };
    return this.#work.work;
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
    this.endWork(current?.isCancelled ? cancelledTurn : interrupted);
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
    let version: ProtocolVersion;
    try {
      const opened = await agent.wake(opening);
      version = opened.host.version;
      this.#workOf(opened);
    } catch (error) {
      // Without `turn_started`: a session without a started turn has lost nothing, so the next agent may replace it by
      // a new one.
      return this.#end(turn, turn.isCancelled ? cancelledTurn : { error: errorObjectOf(error) });
    }
    if (!isActive()) return;
    turn.stage = "starting";
    const content = Array.isArray(prompt) ? prompt : [];
    journal.append({ type: "turn_started", ...versioned(version), at: wallClock(clock), key, prompt: content });
    turn.begun = journal.end;
    await journal.durable();
    // Called in `decode` and `readError`: they run when the response arrives, so the turn ends before later messages of
    // the agent are handled.
    const end = (outcome: Outcome): void => this.#end(turn, outcome);
    try {
      const opened = await agent.wake(opening); // the agent may have ended meanwhile
      if (turn.isCancelled) return end(cancelledTurn);
      if (!isActive()) return;
      if (opened.host.version !== version) return end({ error: changedVersion().toJSON() });
      emit({ type: "turn_started", session });
      turn.stage = "running"; // from now on, a cancellation is sent to the agent, so the agent must have the prompt
      const responded = this.#workOf(opened)?.prompt(end);
      if (responded !== undefined)
        void opened.host.closed.then((error) => end({ error: agentFailure(error).toJSON() }));
      await agent.send(opened, "session/prompt", params, {
        alwaysOrdered: true,
        decode: (result) => {
          if (responded === undefined) return end({ result });
          if (this.#queue.current === turn && isActive()) journal.append({ type: "prompt_inserted", key, result });
          responded({ result });
        },
        readError: (error) => {
          responded?.({ error: error.toJSON() });
          const isCancelled = responded !== undefined && error.code === JsonRpcErrorCode.requestCancelled;
          end(isCancelled ? cancelledTurn : { error: error.toJSON() });
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

  #drop(prompts: readonly QueuedPrompt[], outcome: Outcome): void {
    for (const { key } of prompts) this.#appendEnd(key, outcome);
  }

  #appendEnd(key: string, outcome: Outcome): void {
    const { journal } = this.#options;
    const hasStarted = journal.state.turn === key;
    journal.append({ type: "turn_ended", key, outcome, ...(!hasStarted && { started: false as const }) });
  }
}

/** The prompt and the start of its turn are in the version of the agent that has ended. */
function changedVersion(): RpcError {
  const message = "The agent ended before it got the prompt, and the next one speaks another version of the protocol";
  return gatewayError("agent_failed", message);
}

/** Returns whether a turn or work began at or before a position. Its owner runs it, so it is in the owner's epoch. */
function isUpTo(begun: Position | undefined, { seq, epoch }: Position): boolean {
  return begun?.epoch === epoch && begun.seq <= seq;
}

const cancelledTurn: Outcome = { result: { stopReason: "cancelled" } };
