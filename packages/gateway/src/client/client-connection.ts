import {
  Connection,
  type ConnectionError,
  type DiagnosticListener,
  invalidParams,
  isRpcError,
  JsonRpcErrorCode,
  methodNotFound,
  type RequestContext,
  RpcError,
  type Transport,
} from "@acp-kit/jsonrpc";
import type { ClientCapabilities } from "@acp-kit/types";
import type { AgentPool } from "../agent/agent-pool.js";
import type { GatewayClock } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Engine } from "../engine/engine.js";
import { isEngineError } from "../engine/engine-error.js";
import type { Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { gatewayError, sessionNotFound } from "../gateway-error.js";
import { cursorOf, positionOf } from "../journal/cursor.js";
import type { Feed } from "../journal/feed.js";
import { HistoryReplay } from "../journal/history.js";
import type { JournalEntry } from "../journal/journal-entry.js";
import type { GatewayLimits, GatewayTimes } from "../limits.js";
import { type Principal, scopeOf } from "../principal.js";
import type { SessionOpening } from "../session/command.js";
import type { SessionState } from "../session/session-state.js";
import { Attachment, clientGone } from "./attachment.js";
import { ParamsReader } from "./check-params.js";
import { metaKeys, metaOf } from "./meta.js";
import { clientProfile, servedMethods } from "./profile.js";

/** What a {@link ClientConnection} works with. */
export interface ClientConnectionParts {
  readonly id: string;
  readonly principal: Principal;
  readonly engine: Engine;
  readonly replica: Replica;
  readonly agents: AgentPool;
  readonly clock: GatewayClock;
  readonly limits: GatewayLimits;
  readonly times: GatewayTimes;
  readonly emit: GatewayEventListener;
  readonly onDiagnostic: DiagnosticListener | undefined;
}

/** `new`: only `initialize` is handled. `initialized`: everything is. `closed`: the transport has ended. */
type ClientState =
  | { readonly is: "new" }
  | { readonly is: "initialized"; readonly serves: readonly string[]; readonly sendsCursors: boolean }
  | { readonly is: "closed" };

type Params = Readonly<Record<string, unknown>>;
type Handler = (params: Params, context: RequestContext) => unknown;

/** One client: to it, the gateway is an agent whose sessions never end by themselves. */
export class ClientConnection {
  /** Resolves with the reason when the transport has ended. */
  readonly closed: Promise<ConnectionError>;
  readonly #parts: ClientConnectionParts;
  readonly #connection: Connection;
  readonly #read: ParamsReader;
  readonly #attachments = new Map<string, Attachment>();
  /** Attachments that are being made, so that two requests of a client make one. */
  readonly #attaching = new Map<string, Promise<Attachment>>();
  #state: ClientState = { is: "new" };

  constructor(transport: Transport, parts: ClientConnectionParts) {
    this.#parts = parts;
    this.#read = new ParamsReader(parts.limits.maxTextChars);
    const { onDiagnostic } = parts;
    this.#connection = new Connection(transport, {
      orderBy: (_, params) => {
        const { sessionId } = (params ?? {}) as { readonly sessionId?: unknown };
        return typeof sessionId === "string" ? sessionId : undefined;
      },
      ...(onDiagnostic !== undefined && { onDiagnostic }),
      onPeerEnded: () => this.#ended(), // nothing waits for its prompts: they go on without it
      fallback: {
        request: (method) => ({ handler: (params, context) => this.#other(method, params, context) }),
        notification: (method) => ({ handler: (params) => this.#notification(method, params) }),
      },
    });
    this.closed = this.#connection.closed;
    this.#connection.onRequest("initialize", (params) => this.#initialize(this.#read.object(params)));
    const handlers: Readonly<Record<string, Handler>> = {
      "session/new": (params, context) => this.#newSession(params, context),
      "session/load": (params, context) => this.#load(params, context),
      "session/resume": (params, context) => this.#resume(params, context),
      "session/list": (params) => this.#list(params),
      "session/close": (params) => this.#close(params),
      "session/delete": (params) => this.#delete(params),
      "session/prompt": (params, context) => this.#prompt(params, context),
    };
    for (const [method, handler] of Object.entries(handlers))
      this.#connection.onRequest(method, (params, context) => {
        this.#assertAllowed(method);
        return handler(this.#read.object(params), context);
      });
    void this.closed.then(() => this.#ended());
    this.#connection.listen();
  }

  get principal(): Principal {
    return this.#parts.principal;
  }

  /** Looks after pending prompts and open requests; called from time to time. */
  tend(): void {
    for (const attachment of this.#attachments.values()) attachment.tend();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #initialize(params: Params): Promise<object> {
    if (this.#state.is !== "new")
      throw new RpcError(JsonRpcErrorCode.invalidRequest, "The connection is initialized already");
    const { principal, agents } = this.#parts;
    const profile = await agents.describe(principal).catch((cause: unknown) => {
      throw isRpcError(cause) ? cause : gatewayError("agent_failed", "The agent could not be started", { cause });
    });
    const capabilities = params.clientCapabilities as ClientCapabilities | undefined;
    const sendsCursors = metaOf(capabilities, metaKeys.cursors) === true;
    this.#state = { is: "initialized", serves: servedMethods(capabilities), sendsCursors };
    return clientProfile(profile);
  }

  #assertAllowed(method: string): void {
    if (this.#state.is === "new")
      throw new RpcError(JsonRpcErrorCode.invalidRequest, `${method} came before the connection was initialized`);
    if (this.#parts.principal.access !== "observe" || observing.has(method)) return;
    throw gatewayError("read_only", `${method} is not for observers`, { data: { method } });
  }

  // Sessions

  async #newSession(params: Params, { afterResponse }: RequestContext): Promise<object> {
    const { replica, principal } = this.#parts;
    const opening = this.#read.opening(params);
    const { key, response } = await replica.create(principal, opening, params);
    const feed = await replica.feeds.open(key);
    if (feed === undefined) throw sessionNotFound();
    const attachment = this.#attachment(feed, opening, { seq: 0, epoch: 0 }, null);
    this.#attachments.set(key.sessionId, attachment);
    afterResponse(() => attachment.start());
    return { ...response, sessionId: key.sessionId };
  }

  async #load(params: Params, { afterResponse }: RequestContext): Promise<object> {
    const key = this.#key(params);
    const opening = this.#read.opening(params);
    const { feed, state, at } = await this.#open(key);
    const replay = new HistoryReplay(key.sessionId);
    const open = new Map<string, Extract<JournalEntry, { type: "request_opened" }>>();
    try {
      for await (const page of feed.history(at))
        for (const recorded of page) {
          const { entry } = recorded;
          if (entry.type === "request_opened") open.set(entry.id, entry);
          else if (entry.type === "request_settled") open.delete(entry.id);
          for (const update of replay.take(recorded)) await this.#connection.notify("session/update", update);
        }
      for (const update of replay.end()) await this.#connection.notify("session/update", update);
    } catch (error) {
      this.#parts.replica.feeds.close(feed);
      throw engineFailure(error);
    }
    const attachment = this.#attachment(feed, opening, at, state.turn);
    this.#replace(key.sessionId, attachment);
    const mine = [...open.values()].filter(({ to }) => to === undefined && this.#isInteractive);
    afterResponse(() => attachment.start(mine));
    return this.#openedResponse(state, at);
  }

  async #resume(params: Params, { afterResponse }: RequestContext): Promise<object> {
    const key = this.#key(params);
    const opening = this.#read.opening(params);
    const cursor = metaOf(params, metaKeys.cursor);
    const from = positionOf(cursor);
    if (cursor !== undefined && from === undefined)
      throw invalidParams("Invalid params: the cursor is not one of this server");
    const { feed, state, at } = await this.#open(key);
    const requests = await this.#checkCursor(feed, from)
      .then(() => this.#openRequests(feed, state, from, at))
      .catch((error: unknown) => {
        this.#parts.replica.feeds.close(feed);
        throw engineFailure(error);
      });
    const attachment = this.#attachment(feed, opening, from ?? at, state.turn);
    this.#replace(key.sessionId, attachment);
    afterResponse(() => attachment.start(requests));
    return this.#openedResponse(state, from ?? at);
  }

  async #list(params: Params): Promise<object> {
    const { engine, principal, limits } = this.#parts;
    const cwd = this.#read.optionalText(params, "cwd");
    const cursor = this.#read.optionalText(params, "cursor");
    try {
      const page = await engine.list(scopeOf(principal), { cwd, cursor, limit: limits.listPageSize });
      return {
        sessions: page.sessions.map(({ sessionId, cwd, title, updatedAt, additionalDirectories }) => ({
          sessionId,
          cwd,
          updatedAt: new Date(updatedAt).toISOString(),
          ...(title !== null && { title }),
          ...(additionalDirectories.length > 0 && { additionalDirectories }),
        })),
        ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
      };
    } catch (error) {
      if (isEngineError(error) && error.code === "bad_cursor") throw invalidParams(`Invalid params: ${error.message}`);
      throw engineFailure(error);
    }
  }

  async #close(params: Params): Promise<object> {
    const key = this.#key(params);
    const { replica } = this.#parts;
    await replica.find(key);
    const attachment = this.#attachments.get(key.sessionId);
    if (attachment === undefined) return {};
    const { at } = await replica.command(key, { is: "close", client: this.#clientId });
    await attachment.reached(at);
    this.#detach(key.sessionId);
    return {};
  }

  async #delete(params: Params): Promise<object> {
    const key = this.#key(params);
    await this.#parts.replica.delete(key);
    this.#detach(key.sessionId);
    return {};
  }

  /** Not an async function: see {@link Attachment.prompt} for why its own promise is returned. */
  #prompt(params: Params, { id }: RequestContext): Promise<unknown> {
    const { sessionId } = this.#key(params);
    const given = metaOf(params, metaKeys.key);
    if (given !== undefined && (typeof given !== "string" || given.length > 256))
      throw invalidParams(`Invalid params: ${metaKeys.key} must be a string of at most 256 characters`);
    const key = given === undefined ? `${this.#clientId}/${typeof id}/${id}` : `key/${given}`;
    const attachment = this.#attachments.get(sessionId);
    if (attachment !== undefined) return attachment.prompt(key, params);
    return this.#attach(this.#key(params)).then((attached) => attached.prompt(key, params));
  }

  async #other(method: string, raw: unknown, _context: RequestContext): Promise<unknown> {
    this.#assertAllowed(method);
    const params = this.#read.object(raw ?? {});
    if (typeof params.sessionId === "string") {
      if (unrouted.has(method)) throw methodNotFound(method);
      const attachment = await this.#attach(this.#key(params));
      return attachment.call(method, params);
    }
    if (method !== "authenticate" && method !== "logout" && !method.startsWith("_")) throw methodNotFound(method);
    const { agents, principal } = this.#parts;
    const host = await agents.forLogin(principal);
    return host.request(method, params);
  }

  #notification(method: string, raw: unknown): void {
    if (this.#state.is !== "initialized" || this.#parts.principal.access === "observe") return;
    const { sessionId } = (raw ?? {}) as { readonly sessionId?: unknown };
    const attachment = typeof sessionId === "string" ? this.#attachments.get(sessionId) : undefined;
    if (method === "session/cancel") attachment?.cancel();
    else attachment?.notify(method, raw as Params);
  }

  // Attachments

  #key(params: Params): SessionKey {
    return { scope: scopeOf(this.#parts.principal), sessionId: this.#read.text(params, "sessionId") };
  }

  get #clientId(): string {
    return this.#parts.id;
  }

  get #isInteractive(): boolean {
    return this.#parts.principal.access !== "observe";
  }

  /** The session's state, and a place in its journal that is not before it. */
  async #open(key: SessionKey): Promise<{ readonly feed: Feed; readonly state: SessionState; readonly at: Position }> {
    const { replica } = this.#parts;
    await replica.find(key); // before a feed is opened for what may not exist
    const feed = await this.#retrying(() => replica.feeds.open(key));
    if (feed === undefined) throw sessionNotFound();
    try {
      if (!(await this.#retrying(() => feed.pull()))) throw sessionNotFound();
      const { state } = await replica.find(key);
      return { feed, state, at: feed.last };
    } catch (error) {
      replica.feeds.close(feed);
      throw error;
    }
  }

  /** Attaches to a session that the client uses without having opened it here: as a resume would. */
  #attach(key: SessionKey): Promise<Attachment> {
    const { sessionId } = key;
    const known = this.#attachments.get(sessionId);
    if (known !== undefined) return Promise.resolve(known);
    let attaching = this.#attaching.get(sessionId);
    if (attaching === undefined) {
      attaching = this.#attachNow(key).finally(() => this.#attaching.delete(sessionId));
      this.#attaching.set(sessionId, attaching);
    }
    return attaching;
  }

  async #attachNow(key: SessionKey): Promise<Attachment> {
    const { record } = await this.#parts.replica.find(key);
    const { feed, state, at } = await this.#open(key);
    const { cwd, additionalDirectories } = record;
    const attachment = this.#attachment(feed, { cwd, additionalDirectories, mcpServers: [] }, at, state.turn);
    this.#replace(key.sessionId, attachment);
    attachment.start();
    return attachment;
  }

  #attachment(feed: Feed, opening: SessionOpening, from: Position, turn: string | null): Attachment {
    const { replica, clock, times, emit } = this.#parts;
    const { serves, sendsCursors } =
      this.#state.is === "initialized" ? this.#state : { serves: [], sendsCursors: false };
    const { sessionId } = feed.key;
    const options = {
      ...{ connection: this.#connection, client: this.#clientId, replica, clock, feed, opening, sendsCursors },
      presence: { isInteractive: this.#isInteractive, serves },
      retryMs: times.retryMs,
      onLost: () => {
        emit({ type: "journal_lost", session: feed.key });
        this.#detach(sessionId, gatewayError("journal_lost", "The session's journal has lost entries: load it again"));
      },
    };
    return new Attachment(options, from, turn);
  }

  #replace(sessionId: string, attachment: Attachment): void {
    this.#detach(sessionId);
    if (this.#state.is === "closed") attachment.detach(clientGone());
    else this.#attachments.set(sessionId, attachment);
  }

  #detach(sessionId: string, reason: unknown = clientGone()): void {
    this.#attachments.get(sessionId)?.detach(reason);
    this.#attachments.delete(sessionId);
  }

  /** @throws {RpcError} if the journal can't be read from this position. */
  async #checkCursor(feed: Feed, from: Position | undefined): Promise<void> {
    if (from === undefined) return;
    const page = await this.#retrying(async () => feed.read(from));
    if (page.is === "missing") throw sessionNotFound();
    if (page.is === "expired")
      throw gatewayError("cursor_expired", "The entries behind the cursor were removed: load the session instead");
    if (page.is === "ahead")
      throw gatewayError("journal_lost", "The session's journal does not contain the cursor: load the session instead");
  }

  /** The requests that were open at the position from which delivery starts. Those behind it are delivered. */
  async #openRequests(feed: Feed, state: SessionState, from: Position | undefined, at: Position) {
    if (!this.#isInteractive || state.requests.length === 0) return [];
    const open: Extract<JournalEntry, { type: "request_opened" }>[] = [];
    const until = from ?? at;
    for await (const page of feed.history(at))
      for (const { entry, seq } of page)
        if (
          entry.type === "request_opened" &&
          seq <= until.seq &&
          entry.to === undefined &&
          state.requests.includes(entry.id)
        )
          open.push(entry);
    return open;
  }

  #openedResponse(state: SessionState, position: Position): object {
    const cursor = this.#state.is === "initialized" &&
      this.#state.sendsCursors && { [metaKeys.cursor]: cursorOf(position) };
    return { ...state.setup, _meta: { [metaKeys.turn]: state.turn === null ? "idle" : "running", ...cursor } };
  }

  async #retrying<Result>(work: () => Promise<Result>): Promise<Result> {
    const { clock, times } = this.#parts;
    const deadline = clock.now() + times.engineGraceMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isEngineError(error) || error.code !== "unavailable" || clock.now() >= deadline)
          throw engineFailure(error);
      }
      await new Promise<void>((resolve) => {
        clock.after(times.retryMs, resolve);
      });
    }
  }

  #ended(): void {
    this.#state = { is: "closed" };
    for (const sessionId of [...this.#attachments.keys()]) this.#detach(sessionId);
  }
}

/** What an observer may do. */
const observing: ReadonlySet<string> = new Set(["session/list", "session/load", "session/resume", "session/close"]);

/** Requests whose result would be a session that the gateway does not know. */
const unrouted: ReadonlySet<string> = new Set(["session/fork"]);

function engineFailure(error: unknown): unknown {
  if (!isEngineError(error)) return error;
  return gatewayError("engine_unavailable", "Sessions can't be read at the moment", { cause: error });
}
