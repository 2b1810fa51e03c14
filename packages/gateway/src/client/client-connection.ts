import {
  Connection,
  type ConnectionError,
  invalidParams,
  isRpcError,
  JsonRpcErrorCode,
  methodNotFound,
  type RequestContext,
  type RequestId,
  RpcError,
  type Transport,
} from "@acp-kit/jsonrpc";
import { Budget, type DiagnosticListener, type Holding, memoryOf } from "@acp-kit/jsonrpc/internal";
import type { ClientCapabilities } from "@acp-kit/types";
import { type AgentPool, loginMethods } from "../agent/agent-pool.js";
import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Engine } from "../engine/engine.js";
import { beginning, type Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { gatewayError, isSessionNotFound, sessionNotFound } from "../gateway-error.js";
import { cursorOf, positionOf } from "../journal/cursor.js";
import type { AllGatewayLimits, AllGatewayTimes } from "../limits.js";
import { MCP_MESSAGE, type McpClient, type McpServers } from "../mcp-servers.js";
import { type GatewayPrincipal, scopeOf } from "../principal.js";
import type { PrincipalMemory } from "../principal-memory.js";
import type { SessionOpening } from "../session/command.js";
import { isRootPath, type SessionFolder } from "../session/session-folder.js";
import { type SessionState, versioned } from "../session/session-state.js";
import { viewStartFor } from "../session/view-starts.js";
import type { GatewayVersion, ProtocolVersion } from "../version.js";
import { Attachments, type ClientTraits, requestsFor } from "./attachments.js";
import { ParamsReader, type PromptName } from "./check-params.js";
import { type ClientProtocol, ClientView } from "./client-view.js";
import type { KnownClient, KnownClients } from "./known-clients.js";
import { metaKeys, metaObjectOf, metaOf, withCursor } from "./meta.js";
import { clientProfile, clientVersionOf, servedMethods } from "./profile.js";
import { RequestLimits } from "./request-limits.js";
import { SessionList } from "./session-list.js";
import { type OpenSession, type ReplayEnd, SessionReader } from "./session-reader.js";
import type { SettingKind } from "./setting-calls.js";

/** Options of a {@link ClientConnection}. */
export interface ClientConnectionParts {
  readonly id: string;
  readonly principal: GatewayPrincipal;
  readonly engine: Engine;
  readonly replica: Replica;
  readonly agents: AgentPool;
  /** The MCP servers that clients serve. */
  readonly mcp: McpServers;
  readonly clock: GatewayClock;
  readonly limits: AllGatewayLimits;
  readonly times: AllGatewayTimes;
  readonly emit: GatewayEventListener;
  readonly memory: PrincipalMemory;
  readonly onDiagnostic: DiagnosticListener | undefined;
  readonly folder?: SessionFolder | undefined;
  readonly v2?: GatewayVersion | undefined;
  /** Clients that may continue on another connection. */
  readonly clients: KnownClients;
}

/**
 * `new`: only `initialize` is handled. `initialized`: all requests are handled. `closed`: the transport has ended.
 * `known` is set if the client may continue on another connection.
 */
type ClientState =
  | { readonly is: "new" }
  | {
      readonly is: "initialized";
      readonly serves: readonly string[];
      readonly sendsCursors: boolean;
      readonly known: KnownClient | undefined;
      readonly protocol: ClientProtocol;
    }
  | { readonly is: "closed" };

type Params = Readonly<Record<string, unknown>>;
type Handler = (params: Params, context: RequestContext) => unknown;

/**
 * The connection of one client. To the client, the gateway is an agent. The sessions of this agent never end by
 * themselves.
 */
export class ClientConnection {
  /** Resolves with the reason when the transport has ended. */
  readonly closed: Promise<ConnectionError>;
  readonly #parts: ClientConnectionParts;
  readonly #connection: Connection;
  readonly #read: ParamsReader;
  readonly #reader: SessionReader;
  readonly #attachments: Attachments;
  readonly #list: SessionList;
  readonly #limits: RequestLimits;
  readonly #mcp: McpClient;
  #state: ClientState = { is: "new" };

  constructor(transport: Transport, parts: ClientConnectionParts) {
    this.#parts = parts;
    this.#read = new ParamsReader(parts.limits.maxTextChars);
    const memory = parts.memory.enter(parts.principal);
    const scope = scopeOf(parts.principal);
    const { maxQueuedBytes, maxClientRequests, listPageSize } = parts.limits;
    this.#limits = new RequestLimits(maxClientRequests, new Budget(maxQueuedBytes, memory.received), (limit) =>
      parts.emit({ type: "limit_reached", principal: scope, limit }),
    );
    this.#list = new SessionList(parts.engine, scope, listPageSize);
    const { onDiagnostic } = parts;
    this.#connection = new Connection(transport, {
      orderBy: (_, params) => {
        const { sessionId } = (params ?? {}) as { readonly sessionId?: unknown };
        return typeof sessionId === "string" ? sessionId : undefined;
      },
      ...(onDiagnostic !== undefined && { onDiagnostic }),
      respondWhileClosing: false, // the client sends its requests again on another connection
      onPeerEnded: () => this.#left(), // the client's turns continue without it
      fallback: {
        request: (method) => ({
          handler: (params, context) =>
            this.#limits.handle(context.id, params, () => this.#other(method, params, context)),
        }),
        notification: (method) => ({ handler: (params) => this.#notification(method, params) }),
      },
    });
    this.closed = this.#connection.closed;
    this.#mcp = { connection: this.#connection, scope, hold: (bytes) => this.#limits.hold(bytes) };
    const { replica, clock, times, emit } = parts;
    void this.closed.then(memory.leave);
    this.#reader = new SessionReader(replica, parts, memory.unread);
    this.#attachments = new Attachments({
      connection: this.#connection,
      connectionId: parts.id,
      replica,
      reader: this.#reader,
      clock,
      times,
      room: memory.unread,
      hold: (opening) => this.#hold(opening),
      emit,
      // The journal no longer contains the client's next entries, and no message of the protocol reports this. So the
      // gateway closes the connection. When the client connects again and resumes the session, it gets the error.
      onGap: () => void this.#connection.close({ drainTimeoutMs: GAP_DRAIN_MS }),
    });
    this.#connection.onRequest("initialize", (params) => this.#initialize(this.#read.object(params)));
    const handlers: Readonly<Record<string, Handler>> = {
      "session/new": (params, context) => this.#newSession(params, context),
      "session/load": (params, context) => this.#opening(params, () => this.#load(params, context)),
      "session/resume": (params, context) => this.#opening(params, () => this.#resume(params, context)),
      "session/list": (params) =>
        this.#list.page(this.#read.optionalText(params, "cwd"), this.#read.optionalText(params, "cursor")),
      "session/close": (params) => this.#close(params),
      "session/delete": (params) => this.#delete(params),
      "session/prompt": (params, context) => this.#prompt(params, context),
    };
    for (const [method, handler] of Object.entries(handlers))
      this.#connection.onRequest(method, (params, context) =>
        this.#limits.handle(context.id, params, () => {
          this.#assertAllowed(method);
          if (this.#version === 2 && method === "session/load") throw methodNotFound(method);
          const read = this.#read.object(params);
          const response = handler(read, context);
          return this.#version === 1 || method === "session/prompt" ? response : withSessionId(response, read);
        }),
      );
    void this.closed.then(() => {
      parts.mcp.withdraw(this.#mcp);
      this.#broke();
    });
    this.#connection.listen();
  }

  get principal(): GatewayPrincipal {
    return this.#parts.principal;
  }

  /** Calls {@link Attachments.tend}. The gateway calls this method at intervals. */
  tend(): void {
    this.#attachments.tend();
  }

  /**
   * Whether the client still needs this replica while the replica shuts down. If not, the client can continue on
   * another replica.
   */
  get isNeeded(): boolean {
    return this.#attachments.isNeeded;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #initialize(params: Params): Promise<object> {
    this.#assertNew();
    const { principal, agents, v2, clock, onDiagnostic } = this.#parts;
    const described = await agents.describe(principal).catch(startFailure);
    const version = clientVersionOf(params, described, v2);
    const profile = clientProfile(described, version, v2);
    this.#assertNew(); // the connection may have ended while the agent started: its client must not count as present
    const offered = version === 2 ? params.capabilities : params.clientCapabilities;
    const capabilities: ClientCapabilities & object = typeof offered === "object" && offered !== null ? offered : {};
    const protocol = { version, v2, capabilities, clock, report: onDiagnostic ?? (() => {}) };
    const offers = [params.capabilities, params.clientCapabilities];
    const sendsCursors = offers.some((offer) => metaOf(offer, metaKeys.cursors) === true);
    const id = sendsCursors ? this.#givenId(metaOf(params, metaKeys.client)) : undefined;
    const known = id === undefined ? undefined : this.#parts.clients.arrive(principal, this.#attachedId(id), this);
    const serves = version === 1 ? servedMethods(capabilities) : [];
    this.#state = { is: "initialized", serves, sendsCursors, known, protocol };
    if (id === undefined) return profile;
    const identity = { [metaKeys.client]: id, [metaKeys.server]: this.#parts.replica.id };
    return { ...profile, _meta: { ...metaObjectOf(profile), ...identity } };
  }

  #assertNew(): void {
    if (this.#state.is === "new") return;
    throw new RpcError(JsonRpcErrorCode.invalidRequest, "The connection is initialized already, or has ended");
  }

  /**
   * Returns the id of a client that continues on other connections.
   *
   * @param given `true`, or the client's earlier id.
   */
  #givenId(given: unknown): string | undefined {
    if (given === true) return this.#parts.id;
    return typeof given === "string" && given.length > 0 && given.length <= MAX_CLIENT_ID_CHARS ? given : undefined;
  }

  /**
   * Returns the id of this client among all clients of its sessions. An observer can read the ids of other clients in
   * the journal, and must not pass for one.
   */
  #attachedId(id: string): string {
    return this.#isObserver ? `observer/${id}` : id;
  }

  /** Ends this connection, because the client continues on another one. */
  replaced(): void {
    this.#state = { is: "closed" };
    void this.close();
    this.#attachments.suspend();
  }

  #assertAllowed(method: string): void {
    if (this.#state.is === "new")
      throw new RpcError(JsonRpcErrorCode.invalidRequest, `${method} arrived before the connection was initialized`);
    if (!this.#isObserver || observing.has(method)) return;
    throw gatewayError("read_only", `An observer can't call ${method}`, { data: { method } });
  }

  // Sessions

  #newSession(params: Params, { id, afterResponse }: RequestContext): Promise<object> {
    const { replica, principal } = this.#parts;
    return this.#attaching(params, undefined, async (opening, holding) => {
      const { key, response, state } = await this.#once(id, () => replica.create(principal, opening, params));
      const feed = await replica.feeds.open(key);
      if (feed === undefined) throw sessionNotFound();
      const view = this.#viewOf(key, state);
      const point = { feed, opening, view, holding, from: beginning, turn: null };
      const attachment = this.#attachments.add(point, this.#traits);
      const { version = 1 } = state;
      afterResponse(() => attachment.start(opening, { setup: response, version }));
      const created = { ...view.opened(response, version), sessionId: key.sessionId };
      return this.#traits.sendsCursors ? withCursor(created, beginning) : created;
    });
  }

  /**
   * Runs a request that attaches the client to a session. The memory of the attachment is counted first, so that no
   * session is created without an attachment. @param key the session, if it is saved.
   */
  async #attaching<Result>(
    params: Params,
    key: SessionKey | undefined,
    attach: (opening: SessionOpening, holding: Holding) => Promise<Result>,
  ): Promise<Result> {
    const opening = await this.#openingOf(params, key);
    const holding = this.#hold(opening);
    try {
      return await attach(opening, holding);
    } catch (error) {
      holding.release();
      throw error;
    }
  }

  #hold(opening: SessionOpening): Holding {
    return this.#limits.hold(ATTACHMENT_BYTES + memoryOf(opening));
  }

  /**
   * Returns the params with which the agent opens a session, with the folders that the session may use.
   *
   * @param key the session, if it is saved.
   */
  async #openingOf(params: Params, key: SessionKey | undefined): Promise<SessionOpening> {
    const read = this.#isObserver ? this.#read.observedOpening(params) : this.#read.opening(params);
    const opening: SessionOpening = { ...read, ...versioned(this.#version) };
    const { folder, principal, replica, mcp } = this.#parts;
    if (this.#connection.state === "open") mcp.declare(this.#mcp, opening.mcpServers);
    if (folder === undefined) return opening;
    const saved = key === undefined ? undefined : (await replica.find(key)).record;
    if (saved !== undefined && this.#isObserver) return { ...opening, cwd: saved.cwd, additionalDirectories: [] };
    const allowed = async (path: string): Promise<string> => folder(scopeOf(principal), path);
    const { cwd, additionalDirectories } = opening;
    return {
      ...opening,
      cwd: saved !== undefined && isRootPath(cwd) ? saved.cwd : await allowed(cwd),
      ...(additionalDirectories && { additionalDirectories: await Promise.all(additionalDirectories.map(allowed)) }),
    };
  }

  #opening(params: Params, open: () => Promise<object>): Promise<object> {
    return this.#attachments.opening(this.#key(params).sessionId, open);
  }

  #load(params: Params, { afterResponse }: RequestContext): Promise<object> {
    const key = this.#key(params);
    const from = this.#read.cursor(params);
    const ownPrompts = this.#ownPrompts(params);
    return this.#attaching(params, key, async (opening, holding) => {
      const session = await this.#reader.open(key, from);
      const view = this.#viewOf(key, session.state);
      const end = await this.#reader.replay(
        session,
        from,
        view,
        this.#sendReplayed,
        this.#openPrompts(key, ownPrompts),
      );
      return this.#opened(session, { opening, holding, view, ...end, afterResponse, ownPrompts });
    });
  }

  readonly #sendReplayed = (params: object, at?: Position): Promise<void> | undefined =>
    this.#connection.notify(
      "session/update",
      this.#traits.sendsCursors && at !== undefined ? withCursor(params, at) : params,
    );

  async #resume(params: Params, { afterResponse }: RequestContext): Promise<object> {
    const key = this.#key(params);
    const cursor = this.#read.cursor(params);
    const isReplay = this.#version === 2 && params.replayFrom != null;
    if (isReplay && (params.replayFrom as { readonly type?: unknown }).type !== "start")
      throw invalidParams("Invalid params: the session can be replayed only from the start", {
        replayFrom: params.replayFrom,
      });
    const from = cursor ?? (isReplay ? undefined : this.#attachments.position(key.sessionId));
    const ownPrompts = this.#ownPrompts(params);
    try {
      return await this.#attaching(params, key, async (opening, holding) => {
        const session = await this.#reader.open(key, from);
        const view = this.#viewOf(key, session.state);
        if (view.version === 2)
          return await this.#resumeInV2(session, view, { opening, holding, from, isReplay, ownPrompts, afterResponse });
        const open = await this.#reader.openRequests(session, from);
        if (view.needsHistory) await this.#reader.recall(session, from, view);
        const { turn } = session.state;
        const point = { opening, holding, view, from: from ?? session.at, turn, ownPrompts, responses: new Map() };
        return this.#opened(session, { ...point, open, afterResponse });
      });
    } catch (error) {
      if (cursor !== undefined && isSessionNotFound(error)) this.#attachments.missing(key.sessionId, cursor);
      throw error;
    }
  }

  /**
   * Resumes a session for a client of version 2. The replay and the current state precede the response.
   *
   * @see https://agentclientprotocol.com/protocol/v2/session-setup
   */
  async #resumeInV2(session: OpenSession, view: ClientView, resume: ResumeInV2): Promise<object> {
    const { from, isReplay, ownPrompts, ...opened } = resume;
    const { key } = session.feed;
    const { sessionId } = key;
    const { turn } = session.state;
    const prompts = this.#openPrompts(key, ownPrompts);
    const reads = isReplay || from !== undefined || view.needsHistory || prompts.size > 0;
    const end: ReplayEnd = reads
      ? await this.#reader.replay(session, isReplay ? from : (from ?? session.at), view, this.#sendReplayed, prompts)
      : { from: session.at, open: await this.#reader.openRequests(session), turn, responses: new Map() };
    const state = view.state(from === undefined ? undefined : end.outcome);
    await this.#sendReplayed({ sessionId, update: state }, end.from);
    return this.#opened(session, { ...opened, ...end, view, ownPrompts });
  }

  #opened({ feed, state }: OpenSession, opened: Opening): object {
    const { opening, holding, view, from, open, turn, outcome, afterResponse, ownPrompts, responses } = opened;
    const { sendsCursors } = this.#traits;
    const viewStart = viewStartFor(state, from);
    const point = { feed, opening, holding, view, from, viewStart, turn, ownPrompts, responses };
    const attachment = this.#attachments.add(point, this.#traits);
    const removedTurns = state.turns - state.kept.turns;
    const mine = requestsFor(this.#traits, open);
    afterResponse(() => attachment.start(opening, state, mine));
    return {
      ...view.opened(state.setup, state.version ?? 1),
      _meta: {
        // In version 2, the state precedes the response. The turn may have started at the gateway and not at the agent.
        ...(view.version === 1 && {
          [metaKeys.turn]: turn === null ? "idle" : "running",
          ...(outcome !== undefined && { [metaKeys.outcome]: outcome }),
        }),
        ...(removedTurns > 0 && { [metaKeys.removedTurns]: removedTurns }),
        ...(sendsCursors && {
          [metaKeys.cursor]: cursorOf(from),
          [metaKeys.requests]: mine.map(({ id }) => id),
        }),
      },
    };
  }

  async #close(params: Params): Promise<object> {
    const key = this.#key(params);
    const { replica } = this.#parts;
    // First, so that it does not wait for later requests of the client
    const attachment = await this.#attachments.joined(key.sessionId);
    const opening = attachment?.opening;
    await replica.find(key);
    // An observer only stops reading: it must not end the agent or the running turn of a session to which no other
    // client is attached.
    if (!this.#isObserver) {
      const { client } = this.#traits;
      const { at, epoch } = await replica.command(key, { is: "close", client });
      await attachment?.reached(at, epoch);
    }
    // The client may have opened the session again meanwhile
    if (this.#attachments.get(key.sessionId)?.opening === opening) this.#attachments.remove(key.sessionId);
    return {};
  }

  async #delete(params: Params): Promise<object> {
    const key = this.#key(params);
    await this.#parts.replica.delete(key);
    this.#attachments.gone(key.sessionId);
    return {};
  }

  /**
   * Must return the promise of {@link Attachment.prompt} itself, so it is not an async function. The promise of an
   * async function settles later: the attachment would send further messages before the connection has sent the
   * response.
   */
  #prompt(params: Params, { id }: RequestContext): Promise<unknown> {
    const { sessionId } = this.#key(params);
    const key = this.#promptKey({ id, key: this.#read.promptKey(params) });
    const attachment = this.#attachments.get(sessionId);
    if (attachment !== undefined && !this.#attachments.isOpening(sessionId)) return attachment.prompt(key, params);
    return this.#attachments.join(this.#key(params), this.#traits).then((joined) => joined.prompt(key, params));
  }

  /** Returns the keys of prompts that the client sent on another connection, and will send again. */
  #ownPrompts(params: Params): ReadonlySet<string> {
    return new Set(this.#read.prompts(params).map((name) => this.#promptKey(name)));
  }

  /** Adds the prompts that wait for their responses on this connection, whose session the client opens again. */
  #openPrompts({ sessionId }: SessionKey, ownPrompts: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...ownPrompts, ...(this.#attachments.get(sessionId)?.prompts ?? [])]);
  }

  /**
   * Creates the key of a prompt, unique in its session, from the key that the client chose. If the client chose none,
   * uses the request id, which stays the same when the client repeats the request on another connection.
   */
  #promptKey({ id, key }: PromptName): string {
    return key === undefined ? `${this.#traits.client}/${typeof id}/${id}` : `key/${key}`;
  }

  /** Executes a request once, if the client may send it again on another connection. */
  #once<Result>(id: RequestId, work: () => Promise<Result>): Promise<Result> {
    const known = this.#state.is === "initialized" ? this.#state.known : undefined;
    return known === undefined ? work() : (known.calls.once(id, work) as Promise<Result>);
  }

  async #other(method: string, raw: unknown, { id, afterResponse }: RequestContext): Promise<unknown> {
    this.#assertAllowed(method);
    const params = this.#read.object(raw ?? {});
    if (typeof params.sessionId === "string") {
      if (unrouted.has(method)) throw methodNotFound(method);
      const attachment = await this.#attachments.join(this.#key(params), this.#traits);
      const request = attachment.convert(method, params);
      // A mode that a client of version 1 sets through an option changes other settings of the client, too.
      const isKnown = this.#version === 2 || request.method === method;
      const kind = settingKinds.get(request.method);
      const ended = kind === undefined ? undefined : attachment.beginSetting(kind, isKnown);
      let at = 0;
      try {
        const reply = await this.#once(id, () => attachment.call(request.method, request.params));
        at = reply.at;
        // The client may have closed and opened the session meanwhile
        const current = this.#attachments.get(params.sessionId) ?? attachment;
        const result = request.result(await current.response(reply));
        afterResponse(() => {
          request.responded?.();
          ended?.(at);
        });
        return result;
      } catch (error) {
        ended?.(at); // the agent may have changed the setting
        throw error;
      }
    }
    const isLogin = loginMethods.some((names) => names[this.#version - 1] === method);
    if (!isLogin && !method.startsWith("_")) throw methodNotFound(method);
    const { agents, principal } = this.#parts;
    return this.#once(id, () => agents.login(principal, method, params));
  }

  async #notification(method: string, raw: unknown): Promise<void> {
    if (this.#state.is !== "initialized" || this.#isObserver) return;
    if (method === MCP_MESSAGE) this.#parts.mcp.notified(this.#mcp, raw);
    const { sessionId } = (raw ?? {}) as { readonly sessionId?: unknown };
    if (typeof sessionId !== "string") return;
    // An earlier request of the client may still be attaching it to the session. A cancellation is for the prompt that
    // is such a request.
    const attachment = this.#attachments.get(sessionId) ?? (await this.#attachments.joined(sessionId));
    if (method !== "session/cancel") await attachment?.notify(method, raw as Params);
    // The connection handles the client's next message about the session after this promise. It may be a prompt, which
    // must not be cancelled too.
    else {
      const upTo = positionOf(metaOf(raw, metaKeys.cursor));
      if (attachment !== undefined) await attachment.cancel(upTo);
      else await this.#cancelUnopened(this.#key(raw as Params), upTo).catch(() => {}); // a notification has no response
    }
  }

  /**
   * Cancels the turn of a session that the client has not opened on this connection. A session without a turn stays
   * asleep. The record of the session does not name a turn whose agent is still starting, but the owner knows this
   * turn.
   */
  async #cancelUnopened(key: SessionKey, upTo: Position | undefined): Promise<void> {
    const { replica } = this.#parts;
    const { state } = await replica.find(key);
    const command = { is: "cancel", client: this.#traits.client, upTo } as const;
    if (state.turn === null) await replica.mentioned(key, command);
    else await replica.command(key, command);
  }

  get #isObserver(): boolean {
    return this.#parts.principal.access === "observe";
  }

  #key(params: Params): SessionKey {
    return { scope: scopeOf(this.#parts.principal), sessionId: this.#read.text(params, "sessionId") };
  }

  get #traits(): ClientTraits {
    const { serves, sendsCursors, known } =
      this.#state.is === "initialized" ? this.#state : { serves: [], sendsCursors: false, known: undefined };
    const isInteractive = !this.#isObserver;
    const abilities = { isInteractive, serves, mayReturn: isInteractive && known !== undefined };
    return {
      client: known?.id ?? this.#attachedId(this.#parts.id),
      abilities,
      sendsCursors,
      viewOf: (key, state) => this.#viewOf(key, state),
    };
  }

  get #version(): ProtocolVersion {
    return this.#state.is === "initialized" ? this.#state.protocol.version : 1;
  }

  #viewOf({ sessionId }: SessionKey, state: SessionState): ClientView {
    const protocol =
      this.#state.is === "initialized" ? this.#state.protocol : { ...firstVersion, clock: this.#parts.clock };
    return new ClientView(protocol, state, (params) => {
      // With the cursor, they are not parts of the next entry. A replay has cursors of its own.
      const at = this.#attachments.isOpening(sessionId) ? undefined : this.#attachments.get(sessionId)?.position;
      void this.#sendReplayed({ ...params, sessionId }, at);
    });
  }

  #left(): void {
    const { clients, principal } = this.#parts;
    if (this.#state.is === "initialized" && this.#state.known !== undefined)
      clients.left(principal, this.#state.known, this);
    this.#state = { is: "closed" };
    this.#attachments.close();
  }

  /** Handles a lost connection. The client may reconnect on another one. */
  #broke(): void {
    const { clients, principal } = this.#parts;
    const known = this.#state.is === "initialized" ? this.#state.known : undefined;
    this.#state = { is: "closed" };
    if (known === undefined) {
      this.#attachments.close();
      return;
    }
    this.#attachments.suspend();
    clients.broke(principal, known, this);
  }
}

/** How a client opened a session, and the state of the session at the position `from`. */
interface Opening extends ReplayEnd {
  readonly opening: SessionOpening;
  readonly holding: Holding;
  readonly from: Position;
  readonly afterResponse: RequestContext["afterResponse"];
  readonly ownPrompts: ReadonlySet<string>;
  readonly view: ClientView;
}

/** A request of version 2 to resume a session. */
interface ResumeInV2 extends Pick<Opening, "opening" | "holding" | "afterResponse" | "ownPrompts"> {
  /** The client's position, if it is known. */
  readonly from: Position | undefined;
  /** Whether the client gets the history, after `from` or from the beginning. */
  readonly isReplay: boolean;
}

const firstVersion = { version: 1, v2: undefined, capabilities: {}, report: () => {} } as const;

/**
 * When a connection ends because journal entries are missing: how long it may still send responses, in milliseconds.
 */
const GAP_DRAIN_MS = 100;

/** The memory of an attachment without its opening, in bytes. */
const ATTACHMENT_BYTES = 1_024;

/** The maximum length of a client id in `initialize`. */
const MAX_CLIENT_ID_CHARS = 128;

/** The methods that an observer may call. */
const observing: ReadonlySet<string> = new Set(["session/list", "session/load", "session/resume", "session/close"]);

/** The methods with which clients change a setting of a session, with the updates that other clients receive. */
const settingKinds: ReadonlyMap<string, SettingKind> = new Map([
  ["session/set_mode", "current_mode_update"],
  ["session/set_config_option", "config_option_update"],
] as const);

/** Methods that would create a session without the gateway's knowledge. */
const unrouted: ReadonlySet<string> = new Set(["session/fork"]);

function startFailure(cause: unknown): never {
  throw isRpcError(cause) ? cause : gatewayError("agent_failed", "The agent could not be started", { cause });
}

/** Adds the session id to the error for a session that does not exist, as version 2 requires. */
async function withSessionId(response: unknown, { sessionId }: Params): Promise<unknown> {
  try {
    return await response;
  } catch (error) {
    if (!isSessionNotFound(error)) throw error;
    const { code, message } = error as RpcError;
    throw new RpcError(code, message, { data: { sessionId } });
  }
}
