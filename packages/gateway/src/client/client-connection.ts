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
import { engineFailure } from "../cluster/retry.js";
import type { Engine } from "../engine/engine.js";
import { isEngineError } from "../engine/engine-error.js";
import { beginning, type Position } from "../engine/journal-page.js";
import type { SessionKey } from "../engine/session-record.js";
import type { GatewayEventListener } from "../events.js";
import { gatewayError, sessionNotFound } from "../gateway-error.js";
import { cursorOf, positionOf } from "../journal/cursor.js";
import type { GatewayLimits, GatewayTimes } from "../limits.js";
import { type Principal, scopeOf } from "../principal.js";
import type { SessionOpening } from "../session/command.js";
import { Attachments, type ClientTraits } from "./attachments.js";
import { ParamsReader } from "./check-params.js";
import { metaKeys, metaOf } from "./meta.js";
import { clientProfile, servedMethods } from "./profile.js";
import { type OpenedRequest, type OpenSession, SessionReader } from "./session-reader.js";

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
  readonly #reader: SessionReader;
  readonly #attachments: Attachments;
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
        request: (method) => ({ handler: (params) => this.#other(method, params) }),
        notification: (method) => ({ handler: (params) => this.#notification(method, params) }),
      },
    });
    this.closed = this.#connection.closed;
    const { id, replica, clock, times, emit } = parts;
    this.#reader = new SessionReader(replica, parts);
    this.#attachments = new Attachments({
      connection: this.#connection,
      client: id,
      replica,
      reader: this.#reader,
      clock,
      retryMs: times.retryMs,
      emit,
    });
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
    this.#attachments.tend();
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
    const attachment = this.#attachments.add({ feed, opening, from: beginning, turn: null }, this.#traits);
    afterResponse(() => attachment.start());
    return { ...response, sessionId: key.sessionId };
  }

  async #load(params: Params, { afterResponse }: RequestContext): Promise<object> {
    const key = this.#key(params);
    const opening = this.#read.opening(params);
    const session = await this.#reader.open(key);
    const open = await this.#reader.replay(session, (update) => this.#connection.notify("session/update", update));
    return this.#opened(session, { opening, from: session.at, open, afterResponse });
  }

  async #resume(params: Params, { afterResponse }: RequestContext): Promise<object> {
    const key = this.#key(params);
    const opening = this.#read.opening(params);
    const cursor = metaOf(params, metaKeys.cursor);
    const from = positionOf(cursor);
    if (cursor !== undefined && from === undefined)
      throw invalidParams("Invalid params: the cursor is not one of this server");
    const session = await this.#reader.open(key);
    const open = await this.#reader.openRequests(session, from);
    return this.#opened(session, { opening, from: from ?? session.at, open, afterResponse });
  }

  /** Attaches the client to a session that it has loaded or resumed, and returns the response. */
  #opened({ feed, state }: OpenSession, { opening, from, open, afterResponse }: Opening): object {
    const { presence, sendsCursors } = this.#traits;
    const attachment = this.#attachments.add({ feed, opening, from, turn: state.turn }, this.#traits);
    const mine = open.filter(({ to }) => to === undefined && presence.isInteractive);
    afterResponse(() => attachment.start(mine));
    return {
      ...state.setup,
      _meta: {
        [metaKeys.turn]: state.turn === null ? "idle" : "running",
        ...(sendsCursors && { [metaKeys.cursor]: cursorOf(from) }),
      },
    };
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
    const { at } = await replica.command(key, { is: "close", client: this.#parts.id });
    await attachment.reached(at);
    this.#attachments.remove(key.sessionId);
    return {};
  }

  async #delete(params: Params): Promise<object> {
    const key = this.#key(params);
    await this.#parts.replica.delete(key);
    this.#attachments.remove(key.sessionId);
    return {};
  }

  /** Not an async function: see {@link Attachment.prompt} for why its own promise is returned. */
  #prompt(params: Params, { id }: RequestContext): Promise<unknown> {
    const { sessionId } = this.#key(params);
    const given = metaOf(params, metaKeys.key);
    if (given !== undefined && (typeof given !== "string" || given.length > 256))
      throw invalidParams(`Invalid params: ${metaKeys.key} must be a string of at most 256 characters`);
    const key = given === undefined ? `${this.#parts.id}/${typeof id}/${id}` : `key/${given}`;
    const attachment = this.#attachments.get(sessionId);
    if (attachment !== undefined) return attachment.prompt(key, params);
    return this.#attachments.join(this.#key(params), this.#traits).then((attached) => attached.prompt(key, params));
  }

  async #other(method: string, raw: unknown): Promise<unknown> {
    this.#assertAllowed(method);
    const params = this.#read.object(raw ?? {});
    if (typeof params.sessionId === "string") {
      if (unrouted.has(method)) throw methodNotFound(method);
      const attachment = await this.#attachments.join(this.#key(params), this.#traits);
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

  #key(params: Params): SessionKey {
    return { scope: scopeOf(this.#parts.principal), sessionId: this.#read.text(params, "sessionId") };
  }

  /** What this client advertised. */
  get #traits(): ClientTraits {
    const { serves, sendsCursors } =
      this.#state.is === "initialized" ? this.#state : { serves: [], sendsCursors: false };
    return { presence: { isInteractive: this.#parts.principal.access !== "observe", serves }, sendsCursors };
  }

  #ended(): void {
    this.#state = { is: "closed" };
    this.#attachments.close();
  }
}

/** How a client opened a session. */
interface Opening {
  readonly opening: SessionOpening;
  readonly from: Position;
  readonly open: readonly OpenedRequest[];
  readonly afterResponse: RequestContext["afterResponse"];
}

/** What an observer may do. */
const observing: ReadonlySet<string> = new Set(["session/list", "session/load", "session/resume", "session/close"]);

/** Requests whose result would be a session that the gateway does not know. */
const unrouted: ReadonlySet<string> = new Set(["session/fork"]);
