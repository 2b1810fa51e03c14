import { type ConnectionError, type Deferred, deferred, isConnectionError, isRpcError } from "@acp-kit/jsonrpc";
import type { AgentHost, AgentSink } from "../agent/agent-host.js";
import type { AgentPool } from "../agent/agent-pool.js";
import { AgentSeat } from "../agent/agent-seat.js";
import type { GatewayClock } from "../clock.js";
import type { Lease, Membership } from "../engine/engine.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { errorObjectOf, gatewayError } from "../gateway-error.js";
import type { Feed } from "../journal/feed.js";
import type { JournalEntry, Outcome, SessionParams, SettingUpdate } from "../journal/journal-entry.js";
import { JournalWriter, type WriterEnd } from "../journal/journal-writer.js";
import { cutOf } from "../journal/retention.js";
import type { GatewayLimits, GatewayTimes } from "../limits.js";
import { type GatewayPolicy, policyDefaults, rejectUnattended } from "../policy.js";
import { AgentRequests } from "./agent-requests.js";
import { Attendance } from "./attendance.js";
import type { Command, Reply } from "./command.js";
import { nextState, type SessionState, titleOf } from "./session-state.js";
import { type CurrentTurn, type QueuedPrompt, TurnQueue } from "./turn-queue.js";

/**
 * A session on the replica that owns it:
 *
 * - `active`: it runs turns.
 * - `leaving`: it is put to sleep, handed over or deleted; commands are refused with `not_owner`, so that their clients try again.
 * - `gone`: nothing of it is left here.
 */
type OwnerState = "active" | "leaving" | "gone";

/** Why an owner gave a session up. */
export type OwnerEnd = "slept" | "closed" | "deleted" | "fenced" | "failed";

/** What an {@link OwnedSession} works with. */
export interface OwnedSessionOptions {
  readonly key: SessionKey;
  readonly lease: Lease;
  readonly state: SessionState;
  readonly feed: Feed;
  readonly membership: Membership;
  readonly agents: AgentPool;
  readonly clock: GatewayClock;
  readonly policy: GatewayPolicy;
  readonly limits: GatewayLimits;
  readonly times: GatewayTimes;
  readonly emit: GatewayEventListener;
  /** Called once, when nothing of the session is left here. */
  readonly onEnd: (end: OwnerEnd) => void;
}

/**
 * The owner of a session: the only place where its journal is written, its prompts are queued and its agent runs.
 *
 * The journal contains every entry before a client receives it, and every prompt and response before the agent does.
 */
export class OwnedSession {
  readonly key: SessionKey;
  readonly #options: OwnedSessionOptions;
  readonly #writer: JournalWriter;
  readonly #seat: AgentSeat;
  readonly #requests: AgentRequests;
  readonly #attendance: Attendance;
  readonly #turns = new TurnQueue();
  readonly #ended: Deferred<void> = deferred();
  #state: OwnerState = "active";
  #session: SessionState;
  #calls = 0;
  #isTrimming = false;
  #stopSleep: (() => void) | undefined;

  constructor(options: OwnedSessionOptions) {
    const { key, lease, state, feed, membership, agents, clock, policy, limits, times, emit } = options;
    this.key = key;
    this.#options = options;
    this.#session = state;
    this.#attendance = new Attendance(clock, times.watchMs * 3);
    this.#writer = new JournalWriter({
      ...{ membership, lease, clock },
      last: feed.last.seq,
      limits: { ...limits, retryMs: times.retryMs, giveUpMs: times.engineGraceMs },
      onDurable: (entries) => feed.push(entries),
      onEnd: (end) => this.#writerEnded(end),
    });
    const sink: AgentSink = {
      notification: (method, params) => this.#agentNotified(method, params),
      request: (method, params, signal) => this.#agentRequested(method, params, signal),
    };
    this.#seat = new AgentSeat({
      ...{ principal: key.scope, agents, sink },
      state: () => this.#session,
      onReopened: ({ agentSessionId, setup, isNew }) => {
        if (isNew) this.#append({ type: "agent_opened", agentSessionId, setup });
        else this.#setupChanged(setup);
      },
      onLost: (message) => {
        this.#append({ type: "session_lost", message });
        emit({ type: "session_lost", session: key });
      },
      onGone: () => this.#agentGone(),
    });
    const { unattended = rejectUnattended, unattendedMs = policyDefaults.unattendedMs, delegate = {} } = policy;
    this.#requests = new AgentRequests({
      ...{ epoch: lease.epoch, clock, unattendedMs, attendance: this.#attendance },
      delegates: { files: delegate.files ?? false, terminals: delegate.terminals ?? false },
      maxOpen: limits.maxOpenRequests,
      decide: ({ method, params }) => unattended({ session: key, method, params }),
      append: (entry) => this.#append(entry),
      durable: () => this.#writer.durable(),
      onSettled: (method, by) => {
        emit({ type: "request_settled", session: key, method, by });
        this.#rest();
      },
    });
    this.#recover();
    this.#rest();
  }

  /** Resolves when nothing of the session is left here. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get hasTurn(): boolean {
    return !this.#turns.isEmpty;
  }

  /** Takes the agent that has just created this session. */
  adopt(host: AgentHost, agentSessionId: string): void {
    this.#seat.adopt(host, agentSessionId);
  }

  /** Asks the engine whether this replica still owns the session; gives it up if not. */
  check(): void {
    this.#writer.check();
  }

  /** Does what a client wants. Never rejects. */
  async run(command: Command): Promise<Reply> {
    if (this.#state !== "active") return { is: "not_owner" };
    try {
      return await this.#run(command);
    } catch (error) {
      return this.#state === "active" ? { is: "refused", error: errorObjectOf(error) } : { is: "not_owner" };
    }
  }

  async #run(command: Command): Promise<Reply> {
    switch (command.is) {
      case "prompt": {
        const outcome = this.#prompt(command);
        return { is: "done", at: this.#writer.last, ...(outcome && { outcome }) };
      }
      case "cancel":
        this.#cancel(command.client);
        break;
      case "call":
        return this.#call(command);
      case "notify":
        this.#seat.notify(command.method, command.params);
        break;
      case "respond":
        await this.#requests.respond(command.request, command.client, command.outcome);
        break;
      case "attend":
        this.#attendance.attend(command.client, command.presence);
        this.#requests.attendanceChanged();
        break;
      case "leave":
        this.#left(command.client);
        break;
      case "close":
        this.#left(command.client);
        if (this.#attendance.isEmpty) await this.#close();
        break;
      case "end":
        await this.#close();
    }
    return { is: "done", at: this.#writer.last };
  }

  /**
   * Puts the session to sleep: its agent closes it, its lease is released, its journal stays. Any replica may open it again.
   * A running turn is interrupted.
   */
  async release(end: "slept" | "closed" = "slept"): Promise<void> {
    if (this.#state !== "active") return this.ended;
    this.#state = "leaving";
    const { membership, lease, times } = this.#options;
    this.#stopSleep?.();
    this.#interrupt("The session was closed while the turn ran", end);
    this.#requests.agentGone();
    await this.#seat.leave({ isAbrupt: false, timeoutMs: times.closeMs });
    await this.#writer.durable().catch(() => {});
    this.#writer.close();
    await membership.release(lease).catch(() => {}); // it ends with the membership
    this.#gone(end);
  }

  #recover(): void {
    const { turn, requests } = this.#session;
    for (const id of requests) this.#append({ type: "request_settled", id, by: "recovery" });
    if (turn === null) return;
    const error = gatewayError("turn_interrupted", "The server that ran the turn ended; the turn was not run again");
    this.#append({ type: "turn_ended", key: turn, outcome: { error: error.toJSON() } });
  }

  #append(entry: JournalEntry): number {
    const next = nextState(this.#session, entry);
    const title = titleOf(entry);
    const isChanged = next !== this.#session;
    this.#session = next;
    if (!isChanged && title === undefined) return this.#writer.append(entry);
    return this.#writer.append(entry, {
      ...(isChanged && { state: JSON.stringify(next) }),
      ...(title !== undefined && { title }),
    });
  }

  // Turns

  /** Queues a prompt, unless it came before: then the outcome of its turn is returned, if it has ended. */
  #prompt({ key, client, params, opening }: Extract<Command, { is: "prompt" }>): Outcome | undefined {
    const before = this.#session.ended.find(([ended]) => ended === key);
    if (before !== undefined || this.#turns.has(key)) return before?.[1];
    const { maxQueuedPrompts } = this.#options.limits;
    if (this.#turns.length >= maxQueuedPrompts)
      throw gatewayError("limit", `At most ${maxQueuedPrompts} prompts may wait`, {
        data: { limit: "maxQueuedPrompts" },
      });
    if (this.#session.lost !== null) throw gatewayError("session_lost", this.#session.lost);
    this.#turns.add({ key, client, params, opening });
    this.#nextTurn();
    return undefined;
  }

  #nextTurn(): void {
    const turn = this.#state === "active" ? this.#turns.begin(this.#options.clock.now()) : undefined;
    if (turn === undefined) {
      this.#rest();
      return;
    }
    this.#stopSleep?.();
    this.#stopSleep = undefined;
    this.#runTurn(turn).catch(() => {}); // it ends with the session
  }

  async #runTurn(turn: CurrentTurn): Promise<void> {
    const { key, params, opening } = turn.prompt;
    const { prompt } = params as { readonly prompt?: unknown };
    try {
      await this.#seat.wake(opening);
    } catch (error) {
      if (this.#state !== "active") return;
      this.#append({ type: "turn_started", key, prompt: Array.isArray(prompt) ? prompt : [] });
      return this.#endTurn(turn, turn.isCancelled ? cancelledTurn : { error: errorObjectOf(error) });
    }
    if (this.#state !== "active") return;
    turn.stage = "starting";
    this.#append({ type: "turn_started", key, prompt: Array.isArray(prompt) ? prompt : [] });
    await this.#writer.durable();
    if (turn.isCancelled) return this.#endTurn(turn, cancelledTurn);
    turn.stage = "running";
    this.#options.emit({ type: "turn_started", session: this.key });
    // The hooks run when the response arrives, before anything that the agent sent behind it.
    const end = (outcome: Outcome): void => this.#endTurn(turn, outcome);
    this.#seat
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
  #endTurn(turn: CurrentTurn, outcome: Outcome): void {
    if (this.#turns.current !== turn || this.#state !== "active") return;
    this.#turns.end(turn);
    this.#append({ type: "turn_ended", key: turn.prompt.key, outcome });
    const { clock, emit } = this.#options;
    const durationMs = clock.now() - turn.since;
    emit({ type: "turn_ended", session: this.key, isError: "error" in outcome, durationMs });
    this.#nextTurn();
    this.#trim().catch(() => {}); // the next turn tries again
  }

  /** Removes the oldest turns of a journal that is too long. Appends go on meanwhile. */
  async #trim(): Promise<void> {
    const { policy, feed, membership, lease } = this.#options;
    const { maxJournalEntries } = policy;
    if (maxJournalEntries === undefined || this.#isTrimming) return;
    this.#isTrimming = true;
    try {
      await this.#writer.durable();
      const { first } = this.#session;
      const cut = await cutOf(feed, { first, last: feed.last, maxEntries: maxJournalEntries });
      if (cut === undefined || this.#state !== "active") return;
      this.#append({ type: "trimmed", first: cut });
      await this.#writer.durable();
      await membership.trim(lease, cut);
    } finally {
      this.#isTrimming = false;
    }
  }

  #cancel(client: string): void {
    const dropped = this.#turns.drop(client);
    this.#drop(dropped, cancelledTurn);
    const turn = this.#turns.current;
    if (turn === undefined || (dropped.length > 0 && turn.prompt.client !== client)) return;
    turn.isCancelled = true;
    if (turn.stage !== "running") return;
    this.#seat.notify("session/cancel", {});
    this.#requests.cancelTurn();
    const { clock, policy } = this.#options;
    clock.after(policy.cancelGraceMs ?? policyDefaults.cancelGraceMs, () => {
      if (this.#turns.current === turn) void this.#abandonTurn(turn);
    });
  }

  /** The agent does not end a cancelled turn: it is ended itself, and the session goes to sleep. */
  async #abandonTurn(turn: CurrentTurn): Promise<void> {
    this.#endTurn(turn, cancelledTurn);
    await this.release();
  }

  /**
   * Ends the turn of a session that is given up in order. Prompts that wait are sent again by their clients, to the next
   * owner, unless the session is closed for good.
   */
  #interrupt(message: string, end: "slept" | "closed"): void {
    const interrupted: Outcome = { error: gatewayError("turn_interrupted", message).toJSON() };
    const { current } = this.#turns;
    if (current !== undefined) {
      this.#turns.end(current);
      const outcome = current.isCancelled ? cancelledTurn : interrupted;
      if (current.stage !== "waking" || current.isCancelled)
        this.#append({ type: "turn_ended", key: current.prompt.key, outcome });
    }
    const waiting = this.#turns.drop();
    if (end === "closed") this.#drop(waiting, interrupted);
  }

  /** Queued prompts that will never run. */
  #drop(prompts: readonly QueuedPrompt[], outcome: Outcome): void {
    for (const { key } of prompts) this.#append({ type: "turn_ended", key, outcome });
  }

  // The agent

  #agentNotified(method: string, params: SessionParams): Promise<void> | undefined {
    if (this.#state !== "active") return undefined;
    const { sessionId } = this.key;
    this.#append({ type: "update", method, params: { ...params, sessionId } });
    return this.#writer.full;
  }

  #agentRequested(method: string, params: SessionParams, signal: AbortSignal): Promise<unknown> {
    if (this.#state !== "active") return Promise.reject(gatewayError("agent_failed", "The session was closed"));
    this.#options.emit({ type: "request_opened", session: this.key, method });
    this.#stopSleep?.();
    this.#stopSleep = undefined;
    return this.#requests.send(method, { ...params, sessionId: this.key.sessionId }, signal);
  }

  /** The running turn ends by itself: its request rejects. */
  #agentGone(): void {
    if (this.#state === "active") this.#requests.agentGone();
  }

  /** The agent has other modes or options than the journal says, after it was started again. */
  #setupChanged(setup: SessionState["setup"]): void {
    const { modes, configOptions } = this.#session.setup as Record<string, unknown>;
    const currentModeId = modeOf(setup.modes);
    if (currentModeId !== undefined && currentModeId !== modeOf(modes))
      this.#settingChanged("", { sessionUpdate: "current_mode_update", currentModeId });
    if (setup.configOptions !== undefined && JSON.stringify(setup.configOptions) !== JSON.stringify(configOptions))
      this.#settingChanged("", { sessionUpdate: "config_option_update", configOptions: setup.configOptions });
  }

  // Clients

  async #call({ method, params, opening, client }: Extract<Command, { is: "call" }>): Promise<Reply> {
    this.#calls += 1;
    this.#stopSleep?.();
    this.#stopSleep = undefined;
    try {
      await this.#seat.wake(opening); // until here, another owner may do it instead
      return await this.#callAgent({ method, params, opening, client });
    } finally {
      this.#calls -= 1;
      this.#rest();
    }
  }

  /** Never refused with `not_owner`: the agent may have done it. */
  async #callAgent({ method, params, opening, client }: Omit<Extract<Command, { is: "call" }>, "is">): Promise<Reply> {
    let outcome: Outcome;
    try {
      const result = await this.#seat.request(method, params, opening, {
        decode: (result) => {
          const update = settingOf(method, params, result);
          if (update !== undefined) this.#settingChanged(client, update);
          return result;
        },
      });
      outcome = { result };
    } catch (error) {
      outcome = { error: agentFailure(error).toJSON() };
    }
    const at = this.#writer.last;
    await this.#writer.durable().catch(() => {}); // the outcome is true all the same
    return { is: "done", at: this.#state === "active" ? at : 0, outcome };
  }

  #settingChanged(by: string, update: SettingUpdate): void {
    this.#append({ type: "setting_changed", by, update });
  }

  #left(client: string): void {
    if (this.#attendance.leave(client)) this.#requests.attendanceChanged();
  }

  /** The last client has closed the session: its turn is cancelled, its agent ends. */
  async #close(): Promise<void> {
    const turn = this.#turns.current;
    if (turn !== undefined) turn.isCancelled = true;
    if (turn?.stage === "running") this.#seat.notify("session/cancel", {});
    await this.release("closed");
  }

  // The end

  /** Begins to wait for sleep, if nothing happens in the session. */
  #rest(): void {
    const { clock, policy } = this.#options;
    const isIdle = this.#turns.isEmpty && this.#requests.size === 0 && this.#calls === 0;
    if (this.#state !== "active" || !isIdle || this.#stopSleep !== undefined) return;
    this.#stopSleep = clock.after(policy.sleepAfterMs ?? policyDefaults.sleepAfterMs, () => void this.release());
  }

  /** Clients of replicas that were killed no longer attend. */
  expireAttendance(): void {
    if (this.#attendance.expire().length > 0) this.#requests.attendanceChanged();
  }

  /** Another replica owns the session, it was deleted, or the engine failed: everything here ends at once. */
  #writerEnded({ is, ...end }: WriterEnd): void {
    if (this.#state === "gone") return;
    const wasLeaving = this.#state === "leaving";
    this.#state = "leaving";
    this.#stopSleep?.();
    this.#turns.drop();
    this.#requests.abandon();
    if (is === "failed") this.#options.emit({ type: "engine_failed", error: (end as { error?: unknown }).error });
    if (wasLeaving) return; // release() goes on
    const reason = is === "deleted" ? "deleted" : is === "fenced" ? "fenced" : "failed";
    void this.#seat
      .leave({ isAbrupt: true, timeoutMs: 0 })
      .catch(() => {})
      .then(() => this.#gone(reason));
  }

  #gone(end: OwnerEnd): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#requests.abandon();
    this.#ended.resolve();
    this.#options.onEnd(end);
  }
}

const cancelledTurn: Outcome = { result: { stopReason: "cancelled" } };

/** The agent's own error as it is; the end of its connection as `agent_failed`, with how its process ended. */
function agentFailure(error: unknown) {
  if (isRpcError(error)) return error;
  const cause = isConnectionError(error) ? (error as ConnectionError).cause : undefined;
  return gatewayError("agent_failed", "The agent ended before it responded", { cause: error, data: exitOf(cause) });
}

/** Exit code and signal of a process, wherever they are among the causes. */
function exitOf(error: unknown): object {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 5; depth++) {
    const { exitCode, signal, cause } = at as { exitCode?: unknown; signal?: unknown; cause?: unknown };
    const known = { ...(typeof exitCode === "number" && { exitCode }), ...(typeof signal === "string" && { signal }) };
    if (Object.keys(known).length > 0) return known;
    at = cause;
  }
  return {};
}

/** The update that other clients need after a client changed a setting: agents need not send it. */
function settingOf(
  method: string,
  params: Readonly<Record<string, unknown>>,
  result: unknown,
): SettingUpdate | undefined {
  if (method === "session/set_mode") return { sessionUpdate: "current_mode_update", currentModeId: params.modeId };
  const { configOptions } = (result ?? {}) as { readonly configOptions?: unknown };
  return method === "session/set_config_option" && Array.isArray(configOptions)
    ? { sessionUpdate: "config_option_update", configOptions }
    : undefined;
}

function modeOf(modes: unknown): unknown {
  return (modes as { readonly currentModeId?: unknown } | null | undefined)?.currentModeId;
}
