import { type Deferred, deferred } from "@acp-kit/jsonrpc";
import type { AgentHost, AgentSink } from "../agent/agent-host.js";
import type { AgentPool } from "../agent/agent-pool.js";
import { AgentSeat } from "../agent/agent-seat.js";
import type { GatewayClock } from "../clock.js";
import type { Lease, Membership } from "../engine/engine.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { errorObjectOf, gatewayError } from "../gateway-error.js";
import type { Feed } from "../journal/feed.js";
import type { SessionParams, SettingUpdate } from "../journal/journal-entry.js";
import type { WriterEnd } from "../journal/journal-writer.js";
import type { GatewayLimits, GatewayTimes } from "../limits.js";
import { type GatewayPolicy, policyDefaults, rejectUnattended } from "../policy.js";
import { AgentRequests } from "./agent-requests.js";
import { Attendance } from "./attendance.js";
import type { Command, Reply } from "./command.js";
import { IdleTimer } from "./idle-timer.js";
import { OwnedJournal } from "./owned-journal.js";
import { SessionCalls } from "./session-calls.js";
import type { SessionState } from "./session-state.js";
import { SessionTurns } from "./session-turns.js";
import { changedSettings } from "./settings.js";

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
  /** Whether the engine may lose entries that it has acknowledged. */
  readonly mayLose: boolean;
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
  readonly #journal: OwnedJournal;
  readonly #seat: AgentSeat;
  readonly #requests: AgentRequests;
  readonly #turns: SessionTurns;
  readonly #calls: SessionCalls;
  readonly #attendance: Attendance;
  readonly #idle: IdleTimer;
  readonly #ended: Deferred<void> = deferred();
  #state: OwnerState = "active";

  constructor(options: OwnedSessionOptions) {
    const { key, lease, state, feed, membership, agents, clock, policy, limits, times, emit } = options;
    this.key = key;
    this.#options = options;
    this.#attendance = new Attendance(clock, times.watchMs * 3);
    this.#idle = new IdleTimer({
      clock,
      afterMs: policy.sleepAfterMs ?? policyDefaults.sleepAfterMs,
      onIdle: () => void this.release(),
      whileIdle: () => agents.mayEnd(key.scope, () => this.#makeRoom()),
    });
    this.#journal = new OwnedJournal({
      membership,
      lease,
      feed,
      state,
      clock,
      limits,
      times,
      retention: policy.retention ?? {},
      mayLose: options.mayLose,
      onRepair: (entries) => emit({ type: "journal_repaired", session: key, entries }),
      onEnd: (end) => this.#journalEnded(end),
    });
    const sink: AgentSink = {
      notification: (method, params) => this.#agentNotified(method, params),
      request: (method, params, signal) => this.#agentRequested(method, params, signal),
    };
    this.#seat = new AgentSeat({
      principal: key.scope,
      agents,
      sink,
      state: () => this.#journal.state,
      onReopened: ({ agentSessionId, setup, isNew }) => {
        if (isNew) this.#journal.append({ type: "agent_opened", agentSessionId, setup });
        else for (const update of changedSettings(this.#journal.state.setup, setup)) this.#settingChanged("", update);
      },
      onLost: (message) => {
        this.#journal.append({ type: "session_lost", message });
        emit({ type: "session_lost", session: key });
      },
      onGone: () => this.#agentGone(),
    });
    const { unattended = rejectUnattended, unattendedMs = policyDefaults.unattendedMs, delegate = {} } = policy;
    this.#requests = new AgentRequests({
      epoch: lease.epoch,
      clock,
      unattendedMs,
      attendance: this.#attendance,
      delegates: { files: delegate.files ?? false, terminals: delegate.terminals ?? false },
      maxOpen: limits.maxOpenRequests,
      decide: ({ method, params }) => unattended({ session: key, method, params }),
      append: (entry) => void this.#journal.append(entry),
      durable: () => this.#journal.durable(),
      onSettled: (method, by) => {
        emit({ type: "request_settled", session: key, method, by });
        this.#rest();
      },
    });
    const parts = {
      journal: this.#journal,
      seat: this.#seat,
      isActive: () => this.#state === "active",
      onBusy: () => this.#idle.cancel(),
      onIdle: () => this.#rest(),
    };
    this.#calls = new SessionCalls({ ...parts, onSetting: (by, update) => this.#settingChanged(by, update) });
    this.#turns = new SessionTurns({
      ...parts,
      key,
      requests: this.#requests,
      clock,
      emit,
      maxQueuedPrompts: limits.maxQueuedPrompts,
      maxQueuedChars: limits.maxQueuedChars,
      cancelGraceMs: policy.cancelGraceMs ?? policyDefaults.cancelGraceMs,
      onStuck: () => void this.release(),
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
    this.#journal.check();
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
        const outcome = this.#turns.prompt(command);
        return { is: "done", at: this.#journal.last, ...(outcome && { outcome }) };
      }
      case "cancel":
        this.#turns.cancel(command.client);
        break;
      case "call":
        return this.#calls.run(command);
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
        break;
      case "trim":
        await this.#journal.trim();
    }
    return { is: "done", at: this.#journal.last };
  }

  /**
   * Puts the session to sleep: its agent closes it, its lease is released, its journal stays. Any replica may open it again.
   * A running turn is interrupted.
   */
  async release(end: "slept" | "closed" = "slept"): Promise<void> {
    if (this.#state !== "active") return this.ended;
    this.#state = "leaving";
    const { membership, lease, times } = this.#options;
    this.#idle.cancel();
    this.#turns.interrupt("The session was closed while the turn ran", end);
    this.#requests.agentGone();
    await this.#seat.leave({ isAbrupt: false, timeoutMs: times.closeMs });
    await this.#journal.durable().catch(() => {});
    this.#journal.close();
    await membership.release(lease).catch(() => {}); // it ends with the membership
    this.#gone(end);
  }

  /** Another session needs an agent, and the principal has as many as it may: this one sleeps if it can continue later. */
  async #makeRoom(): Promise<boolean> {
    if (!this.#seat.canReopen) return false;
    await this.release();
    return true;
  }

  /** Ends what the previous owner has left open. */
  #recover(): void {
    const { turn, requests } = this.#journal.state;
    for (const id of requests) this.#journal.append({ type: "request_settled", id, by: "recovery" });
    if (turn === null) return;
    const error = gatewayError("turn_interrupted", "The server that ran the turn ended; the turn was not run again");
    this.#journal.append({ type: "turn_ended", key: turn, outcome: { error: error.toJSON() } });
  }

  // The agent

  #agentNotified(method: string, params: SessionParams): Promise<void> | undefined {
    if (this.#state !== "active") return undefined;
    const { sessionId } = this.key;
    this.#journal.append({ type: "update", method, params: { ...params, sessionId } });
    return this.#journal.full;
  }

  #agentRequested(method: string, params: SessionParams, signal: AbortSignal): Promise<unknown> {
    if (this.#state !== "active") return Promise.reject(gatewayError("agent_failed", "The session was closed"));
    this.#options.emit({ type: "request_opened", session: this.key, method });
    this.#idle.cancel();
    return this.#requests.send(method, { ...params, sessionId: this.key.sessionId }, signal);
  }

  /** The running turn ends by itself: its request rejects. */
  #agentGone(): void {
    if (this.#state === "active") this.#requests.agentGone();
  }

  // Clients

  #settingChanged(by: string, update: SettingUpdate): void {
    this.#journal.append({ type: "setting_changed", by, update });
  }

  #left(client: string): void {
    if (this.#attendance.leave(client)) this.#requests.attendanceChanged();
  }

  /** The last client has closed the session: its turn is cancelled, its agent ends. */
  async #close(): Promise<void> {
    this.#turns.cancelForClose();
    await this.release("closed");
  }

  #trim(): void {
    this.#journal.trim().catch(() => {}); // the end of the next turn tries again
  }

  // The end

  /** Begins to wait for sleep, if nothing happens in the session. */
  #rest(): void {
    const isIdle = this.#turns.isEmpty && this.#requests.size === 0 && this.#calls.isEmpty;
    if (this.#state === "active" && isIdle) this.#idle.start();
  }

  /** Called from time to time: clients of replicas that were killed no longer attend, turns get too old. */
  tend(): void {
    this.#trim();
    this.#journal.tend();
    if (this.#attendance.expire().length > 0) this.#requests.attendanceChanged();
  }

  /** Another replica owns the session, it was deleted, or the engine failed: everything here ends at once. */
  #journalEnded({ is, ...end }: WriterEnd): void {
    if (this.#state === "gone") return;
    const wasLeaving = this.#state === "leaving";
    this.#state = "leaving";
    this.#idle.cancel();
    this.#turns.abandon();
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
