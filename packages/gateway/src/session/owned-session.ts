import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { Budget, type Deferred, deferred } from "@acp-kit/jsonrpc/internal";
import type { AgentHost, AgentSink } from "../agent/agent-host.js";
import type { AgentPool } from "../agent/agent-pool.js";
import { SessionAgent } from "../agent/session-agent.js";
import type { GatewayClock } from "../clock.js";
import type { Lease, Membership } from "../engine/engine.js";
import { isEngineError } from "../engine/engine-error.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { errorObjectOf, gatewayError } from "../gateway-error.js";
import type { Feed } from "../journal/feed.js";
import type { Outcome, SessionParams, SettingUpdate } from "../journal/journal-entry.js";
import type { WriterEnd } from "../journal/journal-writer.js";
import type { AllGatewayLimits, AllGatewayTimes } from "../limits.js";
import type { McpCall } from "../mcp-servers.js";
import { type GatewayPolicy, policyDefaults, rejectUnattended } from "../policy.js";
import type { MemoryShare } from "../principal-memory.js";
import { engineFailure, retry } from "../retry.js";
import type { GatewayVersion, ProtocolVersion } from "../version.js";
import { AgentRequests } from "./agent-requests.js";
import { AttachedClients } from "./attached-clients.js";
import type { Command, Reply } from "./command.js";
import { IdleTimer } from "./idle-timer.js";
import { OwnedJournal } from "./owned-journal.js";
import { SessionCalls } from "./session-calls.js";
import { isBusy, type SessionState, versioned } from "./session-state.js";
import { SessionTurns } from "./session-turns.js";
import { allSettings, changedSettings } from "./settings.js";

/**
 * The state of a session on the replica that owns it:
 *
 * - `active`: the session runs turns.
 * - `leaving`: this replica is releasing the session. Commands get the reply `not_owner`, so that their senders try
 *   again.
 * - `gone`: this replica has released the session.
 */
type OwnerState = "active" | "leaving" | "gone";

/** The reason why an owner released a session. */
export type OwnerEnd = "slept" | "closed" | "deleted" | "fenced" | "failed";

/** Options of an {@link OwnedSession}. */
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
  readonly v2?: GatewayVersion | undefined;
  readonly limits: AllGatewayLimits;
  readonly times: AllGatewayTimes;
  readonly emit: GatewayEventListener;
  /** The memory of the principal. The session leaves it when it ends. */
  readonly memory: MemoryShare;
  /**
   * Whether the turn of the prompt with this key could not be written by this replica. If such a prompt is repeated, it
   * is refused.
   */
  readonly isUnwritten: (key: string) => boolean;
  /**
   * Called with the keys of the prompts without an outcome, when the engine does not accept the entries of the session.
   */
  readonly onUnwritten: (keys: readonly string[]) => void;
  /** Calls an MCP server of a client that is connected to another replica. */
  readonly callMcpAt: (replica: string, key: SessionKey, call: McpCall) => Promise<unknown>;
  /** Called once, when this replica has released the session. */
  readonly onEnd: (end: OwnerEnd) => void;
}

/**
 * A session on its owner, the replica that runs the session. Only the owner writes the journal, queues prompts and runs
 * the agent.
 *
 * The owner appends every entry before a client receives it, and every prompt and response before the agent receives
 * it.
 */
export class OwnedSession {
  readonly key: SessionKey;
  readonly #options: OwnedSessionOptions;
  readonly #journal: OwnedJournal;
  readonly #agent: SessionAgent;
  readonly #requests: AgentRequests;
  readonly #turns: SessionTurns;
  readonly #calls: SessionCalls;
  readonly #clients: AttachedClients;
  readonly #idle: IdleTimer;
  readonly #ended: Deferred<void> = deferred();
  #state: OwnerState = "active";
  /** Why the session ends, if the engine does not accept its entries. */
  #unwritable: ErrorObject | undefined;
  /** Whether this replica releases the session after the running turn, so that another replica can continue it. */
  #isHandingOver = false;
  /** The number of clients that wait for the removal of expired turns. */
  #trims = 0;

  constructor(options: OwnedSessionOptions) {
    const { key, lease, state, feed, membership, agents, clock, policy, limits, times, emit } = options;
    this.key = key;
    this.#options = options;
    this.#clients = new AttachedClients(clock, times);
    this.#idle = new IdleTimer({
      clock,
      afterMs: () => this.#mayIdleMs(),
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
      notification: (method, params, version) => this.#agentNotified(method, params, version),
      request: (method, params, version, signal) => this.#agentRequested(method, params, version, signal),
      mcpServer: (id) => {
        const replica = this.#clients.replicaOf(id, membership.id);
        return replica === undefined ? undefined : (call) => options.callMcpAt(replica, key, call);
      },
    };
    this.#agent = new SessionAgent({
      principal: key.scope,
      agents,
      sink,
      openTimeoutMs: times.openSessionTimeoutMs,
      state: () => this.#journal.state,
      onReopened: ({ agentSessionId, setup, version, isNew }) => {
        const before = this.#journal.state;
        const isSameVersion = (before.version ?? 1) === version;
        const changed = isSameVersion ? changedSettings(before.setup, setup) : allSettings(setup);
        if (isNew || !isSameVersion)
          this.#journal.append({ type: "agent_opened", ...versioned(version), agentSessionId, setup });
        for (const update of changed) this.#settingChanged("", update);
      },
      onLost: (message) => {
        this.#journal.append({ type: "session_lost", message });
        emit({ type: "session_lost", session: key });
      },
      onGone: () => this.#agentGone(),
    });
    const {
      unattended = rejectUnattended,
      unattendedTimeoutMs = policyDefaults.unattendedTimeoutMs,
      delegate = {},
    } = policy;
    this.#requests = new AgentRequests({
      epoch: lease.epoch,
      clock,
      unattendedTimeoutMs,
      clients: this.#clients,
      delegates: { files: delegate.files ?? false, terminals: delegate.terminals ?? false },
      maxOpen: limits.maxOpenRequests,
      decide: ({ method, params }) => unattended({ session: key, method, params }),
      append: (entry) => void this.#journal.append(entry),
      durable: () => this.#journal.durable(),
      onOpened: (method) => {
        emit({ type: "request_opened", session: key, method });
        this.#idle.cancel();
      },
      onSettled: (method, by) => {
        emit({ type: "request_settled", session: key, method, by });
        this.#rest();
      },
    });
    const parts = {
      journal: this.#journal,
      agent: this.#agent,
      isActive: () => this.#state === "active",
      mayBegin: () => this.#state === "active" && !this.#isHandingOver,
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
      v2: options.v2,
      isUnwritten: options.isUnwritten,
      maxQueuedPrompts: limits.maxQueuedPrompts,
      memory: new Budget(limits.maxQueuedBytes, options.memory.received),
      cancelGraceMs: policy.cancelGraceMs ?? policyDefaults.cancelGraceMs,
      onStuck: () => void this.release(),
    });
    this.#recover();
    this.#rest();
  }

  /** Resolves when this replica has released the session. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get hasTurn(): boolean {
    return !this.#turns.isEmpty;
  }

  /** Uses the agent that has just created this session. */
  adopt(host: AgentHost, agentSessionId: string): void {
    this.#agent.adopt(host, agentSessionId);
  }

  /** Checks the lease at the engine, and releases the session if the lease is stale. */
  check(): void {
    this.#journal.check();
  }

  /**
   * Executes a command. Never rejects.
   *
   * @param seen the newest epoch of this session's journal that the sender knows. If it is newer than the epoch of this
   * replica's lease, another replica may have become the owner. This replica then checks its lease at the engine. If
   * the lease is stale, it replies `not_owner`, and the sender sends the command to the new owner.
   */
  async run(command: Command, seen: number): Promise<Reply> {
    if (this.#state !== "active") return this.#isUnwritten(command) ? this.#interrupted() : this.#tooLate();
    try {
      if (seen > this.#options.lease.epoch) await this.#journal.confirm();
      if ((this.#state as OwnerState) !== "active") return this.#interrupted();
      return await this.#run(command);
    } catch (error) {
      if (this.#state !== "active") return this.#interrupted();
      return { is: "refused", error: errorObjectOf(engineFailure(error)) };
    }
  }

  #isUnwritten(command: Command): boolean {
    return command.is === "prompt" && this.#options.isUnwritten(command.key);
  }

  /** The reply to a command that arrived before the session ended here. */
  #interrupted(): Reply {
    return this.#unwritable === undefined ? { is: "not_owner" } : { is: "refused", error: this.#unwritable };
  }

  /** The reply to a command that arrived after the session ended here. */
  #tooLate(): Reply {
    const { epoch } = this.#options.lease;
    return { is: "not_owner", ...(this.#unwritable && { failed: { epoch, error: this.#unwritable } }) };
  }

  async #run(command: Command): Promise<Reply> {
    switch (command.is) {
      case "prompt": {
        const outcome = this.#turns.prompt(command);
        return this.#done(outcome);
      }
      case "cancel":
        this.#turns.cancel(command.client, command.upTo);
        break;
      case "call":
        return this.#calls.run(command);
      case "notify":
        this.#agent.assertReads();
        this.#agent.notify(command.method, command.params);
        break;
      case "respond":
        await this.#requests.respond(command.request, command.client, command.outcome);
        break;
      case "attach":
        this.#clients.add(command);
        this.#requests.clientsChanged();
        break;
      case "leave":
        if (this.#clients.leave(command.client, command.connection)) this.#requests.clientsChanged();
        break;
      case "close":
        this.#left(command.client);
        if (this.#clients.interactive.length === 0) await this.#close();
        break;
      case "end":
        await this.#close();
        break;
      case "trim":
        await this.#trimFor();
    }
    return this.#done();
  }

  #done(outcome?: Outcome): Reply {
    const { seq: at, epoch } = this.#journal.end;
    return { is: "done", at, epoch, ...(outcome && { outcome }) };
  }

  /**
   * Puts the session to sleep: the agent closes it, the lease is released, the journal stays. Any replica may open the
   * session again. A running turn is interrupted.
   */
  async release(end: "slept" | "closed" = "slept"): Promise<void> {
    if (this.#state !== "active") return this.ended;
    this.#state = "leaving";
    const { membership, lease, times } = this.#options;
    this.#idle.cancel();
    this.#turns.interrupt("The session was closed while the turn ran", end);
    this.#requests.agentGone();
    // The agent receives the outcomes of its requests once they are durable, and has to receive them before it ends.
    if (end === "closed") await this.#journal.durable().catch(() => {});
    await this.#agent.release({ isAbrupt: false, timeoutMs: times.closeMs });
    await this.#journal.settled().catch(() => {}); // after the release, no replica can append lost entries again
    this.#journal.close();
    await membership.release(lease).catch(() => {}); // the lease ends with the membership
    this.#gone(end);
  }

  /**
   * Releases the session after its running turn, or after `graceMs` milliseconds, so that another replica continues it.
   * Its clients or their replicas send queued prompts to the new owner again.
   */
  async handOver(graceMs: number): Promise<void> {
    if (!this.#turns.isRunning || graceMs <= 0) return this.release();
    this.#isHandingOver = true;
    const stop = this.#options.clock.after(graceMs, () => void this.release());
    await this.ended;
    stop();
  }

  /** How long the session stays open at its agent without a turn. */
  #mayIdleMs(): number {
    const { policy } = this.#options;
    const { sleepAfterMs = policyDefaults.sleepAfterMs, loseAfterMs = policyDefaults.loseAfterMs } = policy;
    return this.#agent.wouldLose ? Math.max(sleepAfterMs, loseAfterMs) : sleepAfterMs;
  }

  /**
   * Puts the session to sleep, because the principal needs another agent. Does nothing and resolves with `false` if no
   * agent could open the session again.
   */
  async #makeRoom(): Promise<boolean> {
    if (!this.#agent.canReopen) return false;
    await this.release();
    return true;
  }

  #recover(): void {
    const { turn, requests } = this.#journal.state;
    for (const id of requests) this.#journal.append({ type: "request_settled", id, by: "recovery" });
    const error = gatewayError("turn_interrupted", "The server that ran the turn ended; the turn was not run again");
    this.#turns.endWork({ error: error.toJSON() });
    if (turn === null) return;
    this.#journal.append({ type: "turn_ended", key: turn, outcome: { error: error.toJSON() } });
  }

  // The agent

  #agentNotified(method: string, params: SessionParams, version: ProtocolVersion): Promise<void> | undefined {
    if (this.#state !== "active") return undefined;
    const { sessionId } = this.key;
    const ours = { ...params, sessionId };
    // Without `versioned`, because a spread operator would take a tenth of the time of an update
    if (version === 1) this.#journal.append({ type: "update", method, params: ours });
    else this.#journal.append({ type: "update", version, method, params: ours });
    if (version === 2 && method === "session/update") {
      this.#turns.agentUpdated(params.update);
      if ((params.update as { readonly sessionUpdate?: unknown } | null)?.sessionUpdate === "state_update")
        this.#workChanged();
    }
    return this.#journal.full;
  }

  /** Agents of version 2 also work without a prompt: meanwhile the session does not go to sleep. */
  #workChanged(): void {
    if (isBusy(this.#journal.state)) this.#idle.cancel();
    else this.#rest();
  }

  #agentRequested(
    method: string,
    params: SessionParams,
    version: ProtocolVersion,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (this.#state !== "active") return Promise.reject(gatewayError("agent_failed", "The session was closed"));
    const response = this.#requests.send(method, { ...params, sessionId: this.key.sessionId }, version, signal);
    if (this.#turns.isCancelling) this.#turns.cancelRequests(); // the request and the cancellation have crossed
    return response;
  }

  /** Handles the end of the agent. The running turn ends because its request rejects. */
  #agentGone(): void {
    if (this.#state !== "active") return;
    this.#requests.agentGone();
    this.#turns.endWork({ error: gatewayError("agent_failed", "The agent has ended").toJSON() });
    this.#rest();
  }

  // Clients

  #settingChanged(by: string, update: SettingUpdate): void {
    const { version } = this.#journal.state;
    this.#journal.append({ type: "setting_changed", ...versioned(version ?? 1), by, update });
  }

  #left(client: string): void {
    if (this.#clients.remove(client)) this.#requests.clientsChanged();
  }

  /** Cancels the turn and ends the agent, because the last client has closed the session. */
  async #close(): Promise<void> {
    this.#turns.cancelForClose();
    await this.release("closed");
  }

  #trim(): void {
    this.#journal.trim().catch(() => {}); // the end of the next turn tries again
  }

  /**
   * Removes expired turns for a client that waits. Until then, the session doesn't go to sleep, because the waiting
   * client will use it.
   */
  async #trimFor(): Promise<void> {
    this.#trims += 1;
    this.#idle.cancel();
    try {
      await retry(() => this.#journal.trim(), this.#options);
    } finally {
      this.#trims -= 1;
      this.#rest();
    }
  }

  // The end

  /**
   * Starts the idle timer if the session is idle. If the session is being handed over and no turn runs, releases it.
   */
  #rest(): void {
    if (this.#isHandingOver && !this.#turns.isRunning) {
      void this.release();
      return;
    }
    const isWorking = isBusy(this.#journal.state);
    const isIdle =
      !isWorking && this.#turns.isEmpty && this.#requests.size === 0 && this.#calls.isEmpty && this.#trims === 0;
    if (this.#state === "active" && isIdle) this.#idle.start();
  }

  /** Removes the clients of killed replicas, and expired turns. The replica calls this method at intervals. */
  tend(): void {
    this.#trim();
    this.#journal.tend();
    if (this.#clients.expire().length > 0) this.#requests.clientsChanged();
  }

  /** Releases the session immediately, because another replica owns it, it was deleted, or the engine failed. */
  #journalEnded({ is, ...end }: WriterEnd): void {
    if (this.#state === "gone") return;
    const wasLeaving = this.#state === "leaving";
    this.#state = "leaving";
    this.#idle.cancel();
    const prompts = this.#turns.abandon();
    this.#requests.abandon();
    if (is === "failed") {
      const { error } = end as { error?: unknown };
      this.#options.emit({ type: "engine_failed", error });
      // A full or damaged storage does not recover by itself, as one that is unavailable does. Without an error, the
      // interrupted commands would be repeated for ever.
      if (!isEngineError(error) || error.code !== "unavailable") {
        this.#unwritable = gatewayError("engine_unavailable", "The session can't be written at the moment").toJSON();
        this.#options.onUnwritten(prompts);
      }
    }
    if (wasLeaving) return; // release() continues
    const reason = is === "deleted" ? "deleted" : is === "fenced" ? "fenced" : "failed";
    void this.#agent
      .release({ isAbrupt: true, timeoutMs: 0 })
      .catch(() => {})
      .then(() => this.#gone(reason));
  }

  #gone(end: OwnerEnd): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#requests.abandon();
    this.#turns.abandon();
    this.#options.memory.leave();
    this.#ended.resolve();
    this.#options.onEnd(end);
  }
}
