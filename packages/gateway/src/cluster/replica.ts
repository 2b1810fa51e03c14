import { isRpcError } from "@acp-kit/jsonrpc";
import type { AgentPool } from "../agent/agent-pool.js";
import { type GatewayClock, sleep } from "../clock.js";
import type { Engine, Membership } from "../engine/engine.js";
import { EngineError, isEngineError } from "../engine/engine-error.js";
import type { DirectoryRecord, Scope, SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { gatewayError, rpcErrorOf, sessionNotFound } from "../gateway-error.js";
import type { GatewayLimits, GatewayTimes } from "../limits.js";
import type { GatewayPolicy } from "../policy.js";
import { keyName, scopeOf } from "../principal.js";
import type { Command, Reply, SessionOpening } from "../session/command.js";
import { OwnedSession } from "../session/owned-session.js";
import { newState, type SessionState, setupOf } from "../session/session-state.js";
import { Feeds } from "./feeds.js";
import { Inbox } from "./inbox.js";
import { Mailbox } from "./mailbox.js";

/** What a {@link Replica} works with. */
export interface ReplicaParts {
  readonly engine: Engine;
  readonly agents: AgentPool;
  readonly clock: GatewayClock;
  readonly policy: GatewayPolicy;
  readonly limits: GatewayLimits;
  readonly times: GatewayTimes;
  readonly emit: GatewayEventListener;
  /** Ids with at least 128 random bits. */
  readonly randomId: () => string;
}

/** A session that was just created, with its agent's response. */
export interface CreatedSession {
  readonly key: SessionKey;
  readonly response: object;
}

/** Where the owner of a session is. */
type Owner =
  | { readonly is: "here"; readonly session: OwnedSession }
  | { readonly is: "there"; readonly replica: string }
  | { readonly is: "missing" };

/** One gateway process among those that share an engine: the sessions that it owns, and the way to those that it does not. */
export class Replica {
  readonly feeds: Feeds;
  readonly #parts: ReplicaParts;
  readonly #membership: Membership;
  readonly #mailbox: Mailbox;
  readonly #owned = new Map<string, OwnedSession>();
  readonly #acquiring = new Map<string, Promise<Owner>>();
  /** Where other sessions were owned last. */
  readonly #hints = new Map<string, string>();
  #isLeaving = false;
  #isEnded = false;

  private constructor(parts: ReplicaParts, membership: Membership) {
    this.#parts = parts;
    this.#membership = membership;
    this.#mailbox = new Mailbox(membership, parts.clock, (key, command) => this.#receive(key, command));
    const { maxRecentChars, maxPageEntries: maxEntries, maxPageChars: maxChars } = parts.limits;
    const limits = { maxRecentChars, page: { maxEntries, maxChars } };
    this.feeds = new Feeds(parts.engine, limits, (name) => this.#owned.has(name));
  }

  /** Joins the replicas that share the engine. */
  static async join(parts: ReplicaParts): Promise<Replica> {
    const { engine, times, randomId } = parts;
    const inbox = new Inbox();
    const membership = await engine.join({
      id: randomId(),
      ttlMs: times.leaseMs,
      onMessage: (message) => inbox.receive(message),
    });
    const replica = new Replica(parts, membership);
    inbox.open((message) => replica.#mailbox.receive(message));
    void replica.#keepAlive();
    void replica.#watch();
    return replica;
  }

  get id(): string {
    return this.#membership.id;
  }

  /** The sessions that this replica owns. */
  get owned(): ReadonlyMap<string, OwnedSession> {
    return this.#owned;
  }

  /** Creates a session with an agent and owns it. */
  async create(principal: Scope, opening: SessionOpening, params: object): Promise<CreatedSession> {
    const { engine, agents, randomId, emit } = this.#parts;
    if (this.#isLeaving) throw gatewayError("draining", "The server is being shut down");
    const scope = scopeOf(principal);
    const host = await agents.take(scope, opening).catch((cause: unknown) => {
      throw rpcOr(cause, "The agent could not be started");
    });
    try {
      const { sessionId: agentSessionId, response } = await host.newSession(params);
      const key: SessionKey = { scope, sessionId: randomId() };
      const { cwd, additionalDirectories = [] } = opening;
      const state = newState(agentSessionId, setupOf(response));
      await this.#persist(() =>
        engine.create(scope, { sessionId: key.sessionId, cwd, additionalDirectories, state: JSON.stringify(state) }),
      );
      const owner = await this.#persist(() => this.#owner(key));
      if (owner.is !== "here") throw gatewayError("engine_unavailable", "The session could not be acquired");
      owner.session.adopt(host, agentSessionId);
      emit({ type: "session_created", session: key });
      return { key, response };
    } catch (cause) {
      await agents.giveBack(host);
      throw rpcOr(cause, "The agent ended before it had created the session");
    } finally {
      host.openingDone();
    }
  }

  /** The record of a session of this scope. @throws {RpcError} the same error for every session that the scope does not have. */
  async find(key: SessionKey): Promise<{ readonly record: DirectoryRecord; readonly state: SessionState }> {
    const record = await this.#persist(() => this.#parts.engine.find(key));
    if (record === undefined) throw sessionNotFound();
    return { record, state: JSON.parse(record.state) as SessionState };
  }

  /**
   * Has a command done by the owner of its session, wherever that is; becomes the owner if there is none.
   *
   * @throws {RpcError} for a session that does not exist, and if the owner does not reply or the engine fails for too long.
   */
  async command(key: SessionKey, command: Command): Promise<Extract<Reply, { is: "done" }>> {
    const { clock, times } = this.#parts;
    const id = this.#mailbox.nextId();
    const deadline = clock.now() + times.engineGraceMs;
    /** The replica that may have done it. */
    let sentTo: string | undefined;
    for (;;) {
      let failure: unknown;
      try {
        const owner = await this.#owner(key);
        if (owner.is === "missing") throw sessionNotFound();
        const isElsewhere = sentTo !== undefined && (owner.is === "here" || owner.replica !== sentTo);
        if (isElsewhere && command.is === "call")
          throw gatewayError("turn_interrupted", "The server that handled the request ended; it was not sent again");
        if (owner.is === "here") {
          const reply = await owner.session.run(command);
          if (reply.is !== "not_owner") return doneOrThrow(reply);
          await owner.session.ended;
          continue;
        }
        const before = sentTo;
        sentTo = owner.replica;
        const reply = await this.#mailbox.send({ to: owner.replica, id, key, command }, times.replyMs);
        if (reply === "gone") sentTo = before;
        else if (reply !== undefined && reply.is !== "not_owner") return doneOrThrow(reply);
        else if (reply !== undefined) sentTo = undefined; // it did nothing
        if (reply !== undefined) this.#hints.delete(keyName(key));
      } catch (error) {
        if (!isEngineError(error) || error.code !== "unavailable") throw engineFailure(error);
        failure = error;
      }
      if (clock.now() >= deadline)
        throw gatewayError("engine_unavailable", "The session does not respond", { cause: failure });
      await sleep(clock, times.retryMs);
    }
  }

  /** Sends a message to the owner, if there is one: a session that sleeps is not woken. */
  mention(key: SessionKey, command: Command): void {
    const name = keyName(key);
    const session = this.#owned.get(name);
    if (session !== undefined) void session.run(command);
    else {
      const to = this.#hints.get(name);
      if (to === undefined) return;
      this.#mailbox.send({ to, id: this.#mailbox.nextId(), key, command }, this.#parts.times.replyMs).catch(() => {});
    }
  }

  /** Removes a session: its owner closes it first. `false` if the scope has no such session. */
  async delete(key: SessionKey): Promise<boolean> {
    const { engine, emit } = this.#parts;
    if ((await this.#persist(() => engine.find(key))) === undefined) return false;
    await this.command(key, { is: "end" });
    const isDeleted = await this.#persist(() => engine.delete(key));
    if (isDeleted) emit({ type: "session_deleted", session: key });
    return isDeleted;
  }

  /** Hands every session over: idle ones at once, running turns after their end or `graceMs`. */
  async leave(graceMs: number): Promise<void> {
    const { clock } = this.#parts;
    this.#isLeaving = true;
    const deadline = clock.now() + graceMs;
    const handOver = async (session: OwnedSession): Promise<void> => {
      while (session.hasTurn && clock.now() < deadline) await sleep(clock, Math.min(100, graceMs));
      await session.release();
    };
    await Promise.all([...this.#owned.values()].map(handOver));
    this.#isEnded = true;
    await this.#membership.leave().catch(() => {}); // it ends by itself
  }

  /** A command of another replica. The engine may hold a lease of ours that we do not know of, because its reply was lost. */
  async #receive(key: SessionKey, command: Command): Promise<Reply> {
    try {
      this.#hints.delete(keyName(key)); // to the sender, this replica is the owner
      const owner = await this.#owner(key);
      return owner.is === "here" ? await owner.session.run(command) : { is: "not_owner" };
    } catch {
      return { is: "not_owner" };
    }
  }

  async #owner(key: SessionKey): Promise<Owner> {
    const name = keyName(key);
    const session = this.#owned.get(name);
    if (session !== undefined) return { is: "here", session };
    const hint = this.#hints.get(name);
    if (hint !== undefined) return { is: "there", replica: hint };
    let acquiring = this.#acquiring.get(name);
    if (acquiring === undefined) {
      acquiring = this.#acquire(key, name).finally(() => this.#acquiring.delete(name));
      this.#acquiring.set(name, acquiring);
    }
    return acquiring;
  }

  async #acquire(key: SessionKey, name: string): Promise<Owner> {
    // Its clients wait for their connections to end: then they find another replica.
    if (this.#isLeaving) throw new EngineError("unavailable", "This replica acquires no session any more");
    const { agents, clock, policy, limits, times, emit } = this.#parts;
    const acquired = await this.#membership.acquire(key);
    if (acquired.is === "missing") return { is: "missing" };
    if (acquired.is === "taken") {
      this.#hints.set(name, acquired.by);
      return { is: "there", replica: acquired.by };
    }
    const { lease, last, record } = acquired;
    const feed = await this.feeds.open(key);
    if (feed === undefined) return { is: "missing" };
    try {
      await feed.pull();
      if (feed.last.seq !== last.seq || feed.last.epoch !== last.epoch) {
        feed.reset(last);
        emit({ type: "journal_lost", session: key });
      }
      const state = JSON.parse(record.state) as SessionState;
      const session = new OwnedSession({
        ...{ key, lease, state, feed, agents, clock, policy, limits, times, emit, membership: this.#membership },
        onEnd: (end) => {
          this.#owned.delete(name);
          this.feeds.close(feed);
          if (end === "slept") emit({ type: "session_slept", session: key });
          if (end === "fenced") emit({ type: "session_fenced", session: key });
        },
      });
      this.#owned.set(name, session);
      emit({ type: "session_opened", session: key });
      if (state.turn !== null) emit({ type: "session_taken_over", session: key, interruptedTurn: true });
      return { is: "here", session };
    } catch (error) {
      this.feeds.close(feed);
      throw error;
    }
  }

  /** Repeats engine work that failed for the moment. The work must be one that may be done twice. */
  async #persist<Result>(work: () => Promise<Result>): Promise<Result> {
    const { clock, times } = this.#parts;
    const deadline = clock.now() + times.engineGraceMs;
    for (let attempts = 0; ; attempts++) {
      try {
        return await work();
      } catch (error) {
        // An attempt whose outcome was unknown has created it: ids are random.
        if (attempts > 0 && isEngineError(error) && error.code === "exists") return undefined as Result;
        if (!isEngineError(error) || error.code !== "unavailable" || clock.now() >= deadline)
          throw engineFailure(error);
      }
      await sleep(clock, times.retryMs);
    }
  }

  /** Renews the membership. If it had ended, other replicas may have our sessions: each finds out. */
  async #keepAlive(): Promise<void> {
    const { clock, times, emit } = this.#parts;
    while (!this.#isEnded) {
      await sleep(clock, times.leaseMs / 3);
      if (this.#isEnded) return;
      try {
        if (!(await this.#membership.renew())) for (const session of this.#owned.values()) session.check();
      } catch (error) {
        emit({ type: "engine_failed", error });
      }
    }
  }

  async #watch(): Promise<void> {
    const { clock, times } = this.#parts;
    while (!this.#isEnded) {
      await sleep(clock, times.watchMs);
      this.feeds.refresh();
      this.#hints.clear(); // the next command looks them up again
      for (const session of this.#owned.values()) session.expireAttendance();
    }
  }
}

function doneOrThrow(reply: Exclude<Reply, { is: "not_owner" }>): Extract<Reply, { is: "done" }> {
  if (reply.is === "done") return reply;
  throw rpcErrorOf(reply.error);
}

/** What a client is shown of an engine's error: nothing but that it failed. */
function engineFailure(error: unknown): unknown {
  if (!isEngineError(error) || error.code === "bad_cursor") return error;
  return gatewayError("engine_unavailable", "Sessions can't be read or written at the moment", { cause: error });
}

function rpcOr(cause: unknown, message: string): unknown {
  return isRpcError(cause) ? cause : gatewayError("agent_failed", message, { cause });
}
