import { isRpcError } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import type { AgentPool } from "../agent/agent-pool.js";
import { type GatewayClock, sleep, wallClock } from "../clock.js";
import type { Engine, Membership } from "../engine/engine.js";
import { isEngineError } from "../engine/engine-error.js";
import type { DirectoryRecord, NewSessionRecord, Scope, SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { gatewayError, isSessionNotFound, limitReached, rpcErrorOf, sessionNotFound } from "../gateway-error.js";
import { hasExpired } from "../journal/retention.js";
import type { AllGatewayLimits, AllGatewayTimes } from "../limits.js";
import type { McpServers } from "../mcp-servers.js";
import type { GatewayPolicy } from "../policy.js";
import { keyName, scopeName, scopeOf } from "../principal.js";
import type { PrincipalMemory } from "../principal-memory.js";
import { engineFailure, retry } from "../retry.js";
import {
  type Command,
  type DoneReply,
  isMcpCommand,
  type NotOwnerReply,
  type Reply,
  type SessionOpening,
} from "../session/command.js";
import type { OwnedSession } from "../session/owned-session.js";
import { newState, type SessionState, setupOf } from "../session/session-state.js";
import type { GatewayVersion } from "../version.js";
import { Feeds } from "./feeds.js";
import { Heartbeat } from "./heartbeat.js";
import { Inbox } from "./inbox.js";
import { Mailbox, type SentCommand } from "./mailbox.js";
import { McpCalls } from "./mcp-calls.js";
import { Owners } from "./owners.js";
import { Post } from "./post.js";
import { type ReplicaLink, replicaIdAt } from "./replica-link.js";

/** Options of a {@link Replica}. */
export interface ReplicaParts {
  readonly engine: Engine;
  readonly agents: AgentPool;
  /** The MCP servers of the clients of this replica. */
  readonly mcp: McpServers;
  readonly clock: GatewayClock;
  readonly policy: GatewayPolicy;
  readonly v2?: GatewayVersion | undefined;
  readonly limits: AllGatewayLimits;
  readonly times: AllGatewayTimes;
  readonly emit: GatewayEventListener;
  readonly memory: PrincipalMemory;
  /** The direct link to other replicas; `undefined` if all messages go through the engine. */
  readonly link: ReplicaLink | undefined;
  /** Creates an id with at least 128 random bits. */
  readonly randomId: () => string;
}

/** A session that was just created, with its agent's response. */
export interface CreatedSession {
  readonly key: SessionKey;
  readonly response: object;
  readonly state: SessionState;
}

/**
 * One of the gateway processes that share an engine. A replica runs the sessions that it owns. For other sessions, it
 * sends commands to their owners.
 */
export class Replica {
  readonly feeds: Feeds;
  readonly #parts: ReplicaParts;
  readonly #membership: Membership;
  readonly #mailbox: Mailbox;
  readonly #mcpCalls: McpCalls;
  readonly #owned = new Map<string, OwnedSession>();
  readonly #owners: Owners;
  readonly #heartbeat: Heartbeat;
  /**
   * The sessions that each principal is creating here, oldest first. A promise resolves when its session is created, or
   * the creation has failed.
   */
  readonly #creating = new Map<string, Set<Promise<void>>>();
  #isLeaving = false;
  #isEnded = false;
  #left: Promise<void> | undefined;

  private constructor(parts: ReplicaParts, membership: Membership) {
    this.#parts = parts;
    this.#membership = membership;
    const { maxRecentChars, maxPageEntries: maxEntries, maxPageChars: maxChars, maxReplyChars } = parts.limits;
    const post = new Post(membership, parts.link);
    this.#mailbox = new Mailbox(post, parts.clock, (letter) => this.#receive(letter), maxReplyChars);
    const { mcp: servers, clock, times } = parts;
    this.#mcpCalls = new McpCalls({ replica: membership.id, mailbox: this.#mailbox, servers, clock, times });
    const { engine, emit } = parts;
    const limits = { maxRecentChars, page: { maxEntries, maxChars }, turn: clock.turn?.bind(clock) };
    this.feeds = new Feeds({ engine, limits, clock, isOwned: (name) => this.#owned.has(name) });
    this.#heartbeat = new Heartbeat({
      membership,
      clock,
      leaseMs: times.leaseMs,
      retryMs: times.retryMs,
      onEnded: () => this.#checkLeases(),
      onFailure: (error) => emit({ type: "engine_failed", error }),
    });
    this.#owners = new Owners({
      ...parts,
      membership,
      heartbeat: this.#heartbeat,
      feeds: this.feeds,
      owned: this.#owned,
      callMcpAt: (to, key, call) => this.#mcpCalls.call(to, key, call),
    });
  }

  /** Registers a new replica with the engine. */
  static async join(parts: ReplicaParts): Promise<Replica> {
    const { engine, times, randomId, link } = parts;
    const inbox = new Inbox();
    const id = replicaIdAt(randomId(), link);
    const membership = await engine.join({
      id,
      ttlMs: times.leaseMs,
      onMessage: (message) => inbox.receive(message),
    });
    link?.open(id, (message) => inbox.receive(message));
    const replica = new Replica(parts, membership);
    inbox.open((message) => replica.#mailbox.receive(message));
    void replica.#watch();
    return replica;
  }

  get id(): string {
    return this.#membership.id;
  }

  /** See {@link Heartbeat.isEngineReachable}. */
  get isEngineReachable(): boolean {
    return this.#heartbeat.isEngineReachable;
  }

  /** The sessions that this replica owns. */
  get owned(): ReadonlyMap<string, OwnedSession> {
    return this.#owned;
  }

  /** Creates a session with an agent and owns it. */
  async create(principal: Scope, opening: SessionOpening, params: object): Promise<CreatedSession> {
    this.#assertStays();
    const scope = scopeOf(principal);
    return this.#counted(scope, () => this.#create(scope, opening, params));
  }

  #assertStays(): void {
    if (this.#isLeaving) throw gatewayError("draining", "The server is being shut down");
  }

  async #create(scope: Scope, opening: SessionOpening, params: object): Promise<CreatedSession> {
    const { agents, randomId, emit, times } = this.#parts;
    const host = await agents.take(scope, opening).catch((cause: unknown) => {
      throw rpcOr(cause, "The agent could not be started");
    });
    try {
      const { sessionId: agentSessionId, response } = await host.newSession(
        { ...params, ...host.openingParams(opening) },
        times.openSessionTimeoutMs,
      );
      const key: SessionKey = { scope, sessionId: randomId() };
      const { cwd, additionalDirectories = [] } = opening;
      const state = newState(agentSessionId, setupOf(response), this.id, host.version);
      const { sessionId } = key;
      this.#assertStays();
      await this.#record(scope, { sessionId, cwd, additionalDirectories, state: JSON.stringify(state) });
      const session = await this.#acquire(key).catch(async (error: unknown) => {
        await this.#parts.engine.delete(key).catch(() => {}); // no client knows the session
        throw error;
      });
      session.adopt(host, agentSessionId);
      emit({ type: "session_created", session: key });
      return { key, response, state };
    } catch (cause) {
      await agents.giveBack(host);
      throw rpcOr(cause, "The agent ended before it had created the session, or did not respond");
    } finally {
      host.openingDone();
    }
  }

  #acquire(key: SessionKey): Promise<OwnedSession> {
    return retry(async () => {
      this.#assertStays();
      const owner = await this.#owners.find(key);
      if (owner.is === "here") return owner.session;
      throw gatewayError("engine_unavailable", "The session could not be acquired");
    }, this.#parts);
  }

  /**
   * Runs `create` if the principal may have another session. Sessions that this replica is just creating also count. If
   * the limit then is reached, waits until one of them is created or has failed.
   */
  async #counted<Result>(scope: Scope, create: () => Promise<Result>): Promise<Result> {
    const { engine, limits } = this.#parts;
    const name = scopeName(scope);
    const creating = this.#creating.get(name) ?? new Set();
    this.#creating.set(name, creating);
    const before = [...creating];
    const { promise, resolve } = deferred();
    creating.add(promise);
    try {
      for (;;) {
        // A session that is recorded during the count counts twice
        const pending = before.filter((other) => creating.has(other));
        const count = await retry(() => engine.count(scope), this.#parts);
        if (count + pending.length < limits.maxSessions) return await create();
        if (pending.length === 0)
          throw limitReached("maxSessions", `At most ${limits.maxSessions} sessions may exist: delete some first`);
        await Promise.race(pending);
      }
    } finally {
      creating.delete(promise);
      if (creating.size === 0) this.#creating.delete(name);
      resolve();
    }
  }

  /**
   * Returns the record of a session.
   *
   * @throws {RpcError} `-32002` if the scope has no such session. The error is the same if the session exists in
   * another scope.
   */
  async find(key: SessionKey): Promise<{ readonly record: DirectoryRecord; readonly state: SessionState }> {
    const record = await retry(() => this.#parts.engine.find(key), this.#parts);
    if (record === undefined) throw sessionNotFound();
    const state = JSON.parse(record.state) as SessionState;
    this.#owners.note(key, state.owner);
    return { record, state };
  }

  /** Sends the owner of a session the command to remove expired turns, so that no client reads them. */
  async expire(key: SessionKey, { kept, turn }: SessionState): Promise<void> {
    const { clock, policy } = this.#parts;
    if (turn === null && hasExpired(kept, policy.retention ?? {}, wallClock(clock)))
      await this.command(key, { is: "trim" });
  }

  /**
   * Sends a command to the owner of its session, on any replica. Becomes the owner if the session has none.
   *
   * @throws {RpcError} for a session that does not exist, and if the owner does not reply or the engine fails for too
   * long.
   */
  async command(key: SessionKey, command: Command): Promise<DoneReply> {
    const { clock, times } = this.#parts;
    const id = this.#mailbox.nextId();
    const deadline = clock.now() + times.engineGraceMs;
    /** The last replica that was sent the command and may have executed it; `undefined` if there is none. */
    let sentTo: string | undefined;
    /** The owner that ended before the command arrived, because it could not write entries. */
    let failedEpoch: number | undefined;
    /**
     * Refuses the command if the next owner can't write entries either. Otherwise the command would be repeated for
     * ever.
     */
    const refuseIfNextFailed = ({ failed }: NotOwnerReply): void => {
      if (failed === undefined) return;
      if (failedEpoch !== undefined && failed.epoch > failedEpoch) throw rpcErrorOf(failed.error);
      failedEpoch = failed.epoch;
    };
    for (;;) {
      let failure: unknown;
      try {
        const owner = await this.#owners.find(key);
        if (owner.is === "missing") throw sessionNotFound();
        const isElsewhere = sentTo !== undefined && (owner.is === "here" || owner.replica !== sentTo);
        if (isElsewhere && command.is === "call")
          throw gatewayError(
            "turn_interrupted",
            "The server that handled the request ended; the request was not sent again",
          );
        if (owner.is === "here") {
          const reply = await owner.session.run(command, this.feeds.epochOf(key));
          if (reply.is !== "not_owner") return doneOrThrow(reply);
          refuseIfNextFailed(reply);
          await owner.session.ended;
          continue;
        }
        const before = sentTo;
        sentTo = owner.replica;
        const letter = { to: owner.replica, id, key, command, seen: this.feeds.epochOf(key), mayAcquire: true };
        const reply = await this.#mailbox.send(letter, times.replyMs);
        if (reply === "gone") sentTo = before;
        else if (reply !== undefined && reply.is !== "not_owner") return doneOrThrow(reply);
        // The replica did not execute the command, unless this is a late reply to an earlier attempt.
        else if (reply !== undefined) sentTo = before;
        if (reply !== undefined) this.#owners.forget(key);
        if (reply !== undefined && reply !== "gone") refuseIfNextFailed(reply);
      } catch (error) {
        if (!isEngineError(error) || error.code !== "unavailable") throw engineFailure(error);
        failure = error;
      }
      if (clock.now() >= deadline)
        throw gatewayError("engine_unavailable", "The session does not respond", { cause: failure });
      await sleep(clock, times.retryMs);
    }
  }

  /**
   * Sends a command to the last known owner without waiting for a reply. A session that sleeps has no owner, and stays
   * asleep.
   */
  mention(key: SessionKey, command: Command): void {
    void this.#mention(key, command, 0);
  }

  /**
   * Sends a command like {@link mention}, and again until the owner replies: if the engine reports a failure, it may
   * still deliver the command later, and the owner executes a repeated command once. Resolves with the reply, or with
   * `undefined` when there is no owner or none has replied in time. Never rejects.
   */
  mentioned(key: SessionKey, command: Command): Promise<Reply | undefined> {
    return this.#mention(key, command, this.#parts.times.engineGraceMs);
  }

  async #mention(key: SessionKey, command: Command, graceMs: number): Promise<Reply | undefined> {
    const owner = this.#owners.lastKnown(key);
    if (owner?.is === "here") return owner.session.run(command, this.feeds.epochOf(key));
    if (owner === undefined) return undefined;
    const { clock, times } = this.#parts;
    const { replica: to } = owner;
    const letter = { to, id: this.#mailbox.nextId(), key, command, seen: this.feeds.epochOf(key), mayAcquire: false };
    const deadline = clock.now() + graceMs;
    for (;;) {
      const reply = await this.#mailbox.send(letter, times.replyMs).catch(() => undefined);
      if (reply === "gone" || reply?.is === "not_owner") this.#refuted(key, to);
      if (reply !== undefined) return reply === "gone" ? undefined : reply;
      if (clock.now() >= deadline) return undefined;
      await sleep(clock, times.retryMs);
    }
  }

  /** Removes the hint that a replica owns a session. */
  #refuted(key: SessionKey, replica: string): void {
    const owner = this.#owners.lastKnown(key);
    if (owner?.is === "there" && owner.replica === replica) this.#owners.forget(key);
  }

  /**
   * Sends a command like {@link mention}, but to the owner that the session's record names. For a session that may have
   * a new owner.
   */
  async mentionToNewOwner(key: SessionKey, command: Command): Promise<void> {
    if (!this.#owned.has(keyName(key))) {
      this.#owners.forget(key); // `find` stores the owner that the record names
      await this.find(key);
    }
    this.mention(key, command);
  }

  /** Closes a session at its owner, then removes it. Resolves with `false` if the scope has no such session. */
  async delete(key: SessionKey): Promise<boolean> {
    const { engine, emit } = this.#parts;
    if ((await retry(() => engine.find(key), this.#parts)) === undefined) return false;
    try {
      await this.command(key, { is: "end" });
    } catch (error) {
      if (isSessionNotFound(error)) return false; // another deletion has removed it meanwhile
      throw error;
    }
    const isDeleted = await retry(() => engine.delete(key), this.#parts);
    if (isDeleted) emit({ type: "session_deleted", session: key });
    return isDeleted;
  }

  /**
   * Releases every session, so that other replicas can continue it: an idle session immediately, a session with a
   * running turn after the turn or after `graceMs`. A later call may shorten this time.
   */
  async leave(graceMs: number): Promise<void> {
    this.#isLeaving = true;
    this.#owners.leave();
    await Promise.all(Array.from(this.#owned.values(), (session) => session.handOver(graceMs)));
    this.#left ??= this.#leaveEngine();
    await this.#left;
  }

  async #leaveEngine(): Promise<void> {
    this.#isEnded = true;
    this.#heartbeat.stop();
    await this.#membership.leave().catch(() => {}); // the membership expires
  }

  /**
   * Executes a command of another replica. First acquires the session if this replica does not run it: if the engine's
   * reply to an earlier `acquire` was lost, this replica holds the lease without knowing it.
   */
  async #receive({ key, command, seen, mayAcquire }: SentCommand): Promise<Reply> {
    if (isMcpCommand(command)) return this.#mcpCalls.receive(key, command);
    if (!mayAcquire) return (await this.#owned.get(keyName(key))?.run(command, seen)) ?? { is: "not_owner" };
    try {
      // The engine named this replica as the owner, so a hint to another replica is out of date
      this.#owners.forget(key);
      const owner = await this.#owners.find(key);
      return owner.is === "here" ? await owner.session.run(command, seen) : { is: "not_owner" };
    } catch {
      return { is: "not_owner" };
    }
  }

  /**
   * Creates the record of a session. If a repeated attempt finds a record, an earlier attempt with an unknown outcome
   * has created it, because the id is random.
   */
  async #record(scope: Scope, record: NewSessionRecord): Promise<void> {
    let attempts = 0;
    await retry(async () => {
      attempts += 1;
      try {
        await this.#parts.engine.create(scope, record);
      } catch (error) {
        if (attempts === 1 || !isEngineError(error) || error.code !== "exists") throw error;
      }
    }, this.#parts);
  }

  /** Checks the lease of each session, because other replicas may have acquired the sessions of this replica. */
  #checkLeases(): void {
    for (const session of this.#owned.values()) session.check();
  }

  async #watch(): Promise<void> {
    const { clock, times } = this.#parts;
    while (!this.#isEnded) {
      await sleep(clock, times.watchMs);
      this.feeds.refresh();
      this.#owners.age();
      for (const session of this.#owned.values()) session.tend();
    }
  }
}

function doneOrThrow(reply: Exclude<Reply, NotOwnerReply>): DoneReply {
  if (reply.is === "done") return reply;
  throw rpcErrorOf(reply.error);
}

function rpcOr(cause: unknown, message: string): unknown {
  return isRpcError(cause) ? cause : gatewayError("agent_failed", message, { cause });
}
