import {
  ConnectionError,
  isRpcError,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "@acp-kit/jsonrpc";
import {
  after,
  CANCEL_REQUEST,
  deferred,
  type ErrorObject,
  FlowControl,
  isJsonObject,
  Lanes,
  memoryOf,
} from "@acp-kit/jsonrpc/internal";
import { CapabilityError } from "@acp-kit/protocol";
import type { OpenedProxy } from "../create-proxy.js";
import { HopErrors } from "../hop-error.js";
import type { AgentSide, ClientSide, ProxyRequestOptions } from "../proxy-side.js";
import { ambiguityOf } from "./ambiguity.js";
import { Cancellation } from "./cancellation.js";
import { neededCapabilities } from "./capability-gates.js";
import { Decoding } from "./decoding.js";
import { HopReports } from "./hop-reports.js";
import { Interception, type InterceptionHooks } from "./interception.js";
import type { CallHost } from "./interceptor-call.js";
import { heldCopy, sessionIn } from "./message-parts.js";
import type { OpenRequest } from "./open-request.js";
import { Opening, OpeningError } from "./opening.js";
import { OwnRequests, ReceivedError } from "./own-requests.js";
import { SessionTable } from "./session-table.js";
import type { Side } from "./side.js";
import { inspects } from "./version-rules.js";
import type { Entry, Way } from "./way.js";

/** The functions with which an {@link Exchange} moves messages. */
export interface ExchangeLink {
  send(to: Side, message: Message, size: number, text?: string): void;
  /** Stops and continues reading from a side. */
  pause(from: Side): void;
  resume(from: Side): void;
  /** Ends the connections to both sides. */
  fail(error: unknown): void;
}

const other: Record<Side, Side> = { client: "agent", agent: "client" };

const MAX_HELD_BYTES = 4_194_304;
/** The maximum number of open requests of one side. */
const MAX_OPEN_REQUESTS = 10_000;
/** How long interceptors may take to end after a side has ended, before the messages that they hold are dropped. */
const END_GRACE_MS = 1_000;

/** The methods whose params are kept until the response. */
const openingMethods = new Set(["initialize", "session/new"]);

function isInitializing({ open }: Way): boolean {
  return [...open.values()].some(({ method }) => method === "initialize");
}

/** The notifications whose params a proxy reads. */
const ownMethods = new Set<string>([CANCEL_REQUEST, "session/cancel"]);

/** Passes the messages of a client and an agent through one ACP proxy. */
export class Exchange {
  readonly #link: ExchangeLink;
  readonly #proxy: OpenedProxy;
  readonly #errors: HopErrors;
  readonly #opening: Opening;
  readonly #sessions = new SessionTable();
  readonly #ways: Record<Side, Way>;
  /** The proxy's own requests, by their receiver. */
  readonly #own: Record<Side, OwnRequests>;
  readonly #client: ClientSide;
  readonly #agent: AgentSide;
  /** Whether the proxy depends on what messages say. */
  readonly #inspects: boolean;
  readonly #reports: HopReports;
  readonly #decoding: Decoding;
  readonly #interception: Interception;
  readonly #cancellation: Cancellation;
  /** The sides that have ended the connection. */
  readonly #gone = new Set<Side>();
  #end: { readonly error: unknown } | undefined;
  /** Runs when no interceptor runs for messages of a side that has ended. */
  #onIdle: (() => void) | undefined;

  constructor(proxy: OpenedProxy, index: number, link: ExchangeLink) {
    this.#proxy = proxy;
    this.#link = link;
    this.#errors = new HopErrors(proxy.info.name, index);
    this.#opening = new Opening(proxy, this.#errors);
    this.#reports = new HopReports(proxy.info.name, proxy.onDiagnostic);
    this.#decoding = new Decoding(this.#opening);
    const hooks: InterceptionHooks = {
      closed: () => this.#end,
      notify: (way, call, message, size) => {
        if (!this.#sessions.hasPrivate || !call.session?.isPrivate) link.send(way.to, message, size);
      },
      forward: (way, request, message, size) => this.#forward(way, request, message, size),
      answer: (way, request, result) => this.#answer(way, request, { result }),
      failed: (way, request, error) => this.#interceptorFailed(way, request, error),
      ended: () => this.#onIdle?.(),
    };
    this.#interception = new Interception(hooks, this.#decoding, this.#reports);
    this.#inspects = proxy.versions.some(inspects);
    const own = (to: Side): OwnRequests => new OwnRequests((message) => link.send(to, message, 0));
    this.#own = { client: own("client"), agent: own("agent") };
    this.#client = this.#side("client") as ClientSide;
    this.#agent = this.#side("agent") as AgentSide;
    this.#ways = { client: this.#way("client"), agent: this.#way("agent") };
    this.#cancellation = new Cancellation(this.#ways, this.#own, this.#opening, this.#errors, (way, request, body) =>
      this.#answer(way, request, body),
    );
  }

  /**
   * Receives a message of a side. A `size` of 0 means that the message is passed by reference.
   *
   * @throws {TypeError} when an intercepted message can't be serialized.
   */
  receive(from: Side, value: unknown, size: number, text?: string): void {
    if (this.#end !== undefined) return;
    const way = this.#ways[from];
    const problem = this.#inspects ? ambiguityOf(value) : undefined;
    if (problem !== undefined) {
      this.#refuseAmbiguous(way, value, problem);
      return;
    }
    if (!isJsonObject(value)) {
      this.#link.send(way.to, value as never, size, text);
      return;
    }
    const { method, id } = value;
    if (typeof method === "string") {
      if (this.#opening.refusal !== undefined && method !== "initialize") this.#refuse(way, id, this.#opening.refusal);
      else if (id === undefined) this.#notification(way, value as never, size, text);
      else this.#request(way, value as never, size, text);
    } else if ("result" in value || "error" in value) this.#response(way, value as never, size, text);
    else this.#link.send(way.to, value as never, size, text);
  }

  /** Whether a message can pass at once, and only its method matters, so that its text need not be parsed. */
  passes(from: Side, { id, method }: { readonly id?: RequestId; readonly method?: string }): boolean {
    const { table, lanes } = this.#ways[from];
    return (
      id === undefined &&
      method !== undefined &&
      !ownMethods.has(method) &&
      !table.selects(method) &&
      lanes.idle &&
      !this.#sessions.hasPrivate &&
      this.#opening.refusal === undefined
    );
  }

  /**
   * Called when a side sends nothing more. Runs `onIdle` when the messages that it sent before have left the proxy, or
   * after a time limit.
   */
  ended(from: Side, onIdle: () => void): void {
    const way = this.#ways[from];
    const error = new ConnectionError("peer_closed", `The ${from} has ended the connection`);
    this.#gone.add(from);
    for (const call of way.calls) call.abort(error);
    this.#own[from].end(error);
    for (const { state, response, call } of this.#ways[other[from]].open.values()) {
      if (state !== "forwarded") continue;
      response?.reject(error);
      call?.abort(error);
    }
    const stop = after(END_GRACE_MS, () => finish());
    const finish = (): void => {
      this.#onIdle = undefined;
      stop();
      way.lanes.clear();
      onIdle();
    };
    this.#onIdle = () => {
      if (way.lanes.idle && [...way.calls].every(({ isReleased }) => isReleased)) finish();
    };
    this.#onIdle();
  }

  /** Ends all requests and interceptors. Nothing is sent after this call. */
  close(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    for (const side of ["client", "agent"] as const) {
      const way = this.#ways[side];
      way.flow.stop();
      way.lanes.clear();
      for (const call of way.calls) call.abort(error);
      this.#own[side].end(error);
      for (const { response } of way.open.values()) response?.reject(error);
      way.open.clear();
    }
    this.#onIdle = undefined;
  }

  #way(from: Side): Way {
    const maxHeldBytes = this.#proxy.maxHeldBytes ?? MAX_HELD_BYTES;
    const flow: FlowControl = new FlowControl(
      { pause: () => this.#link.pause(from), resume: () => this.#link.resume(from) },
      {
        maxBacklogBytes: maxHeldBytes,
        // Interceptors that await a response of this side would wait forever if the proxy did not read it.
        isAwaited: () => this.#own[from].areAwaited,
        exceeded: (bytes) =>
          this.#link.fail(
            new ConnectionError("backlog_full", `The ACP proxy "${this.#errors.name}" holds ${bytes} bytes`),
          ),
      },
    );
    const lanes: Lanes<Entry, never> = new Lanes<Entry, never>(
      {
        run: (entry) => this.#run(way, entry),
        pass: () => {},
        contentOf: ({ message }) => message,
        failed: ({ message }, cause) => this.#reports.failed(message, cause),
        freed: () => {
          flow.check();
          this.#onIdle?.();
        },
      },
      flow,
    );
    const to = other[from];
    const host: CallHost = {
      client: this.#client,
      agent: this.#agent,
      sessionOf: (params) => this.#sessions.find(sessionIn(params)),
      decode: (method, params) => this.#decoding.params(to, method, params),
    };
    const opening = this.#opening;
    const way: Way = {
      from,
      to,
      get table() {
        return opening.rules.tables[from];
      },
      lanes,
      flow,
      open: new Map(),
      calls: new Set(),
      host,
    };
    return way;
  }

  #notification(way: Way, message: NotificationMessage, size: number, text: string | undefined): void {
    const { method } = message;
    if (method === CANCEL_REQUEST) {
      if (this.#cancellation.request(way, message)) this.#link.send(way.to, message, size, text);
      return;
    }
    const interceptor = way.table.isEmpty ? undefined : way.table.find(method, message);
    if (interceptor?.form === "request") {
      this.#reports.report("invalid_message", `${method} is a request, but the ${way.from} sent a notification`, {
        method,
      });
      return;
    }
    const isPrivate = this.#sessions.hasPrivate && this.#sessions.isPrivate(sessionIn(message.params));
    if (isPrivate && way.from === "client") return; // the client can't know this session
    const isCancel = method === "session/cancel" && way.from === "client";
    if (isCancel && this.#cancellation.turn(message)) return;
    if (interceptor === undefined && (way.lanes.idle || isCancel)) {
      if (!isPrivate) this.#link.send(way.to, message, size, text);
      return;
    }
    const entry: Entry = { kind: "notification", interceptor, ...heldCopy(message, size, text) };
    // A cancelled turn must not wait for the messages before it.
    if (isCancel) void this.#run(way, entry);
    else way.lanes.deliver(sessionIn(entry.message.params) ?? "", entry, entry.size);
  }

  #request(way: Way, message: RequestMessage, size: number, text: string | undefined): void {
    const { id, method } = message;
    const problem = this.#problemOf(way, message);
    if (problem === undefined && way.from === "client" && method === "initialize")
      this.#opening.offered(message.params);
    const interceptor = way.table.isEmpty ? undefined : way.table.find(method, message);
    if (problem !== undefined) {
      this.#refuse(way, id, problem);
      return;
    }
    if (interceptor?.form === "notification") {
      this.#refuse(way, id, this.#errors.object(-32600, `${method} is a notification, not a request`, "refused"));
      return;
    }
    const session = sessionIn(message.params);
    if (way.from === "client") this.#sessions.requested(method, session, message.params);
    const request: OpenRequest = {
      id,
      method,
      session,
      opening: way.from === "client" && openingMethods.has(method) ? message.params : undefined,
      interceptor,
      state: "queued",
      call: undefined,
      response: undefined,
      finished: undefined,
      passes: false,
      isCancelled: false,
      isTurnCancelled: false,
      received: undefined,
    };
    way.open.set(id, request);
    if (interceptor === undefined && (session === undefined || way.lanes.idle)) {
      this.#forward(way, request, message, size, text);
      return;
    }
    const entry: Entry = { kind: "request", request, ...heldCopy(message, size, text) };
    // Requests without a session have no order.
    if (session === undefined) void this.#run(way, entry);
    else way.lanes.deliver(session, entry, entry.size);
  }

  #response(way: Way, message: ResponseMessage, size: number, text: string | undefined): void {
    if (this.#own[way.from].settle(message)) return;
    const back = this.#ways[way.to];
    const request = back.open.get(message.id);
    if (request === undefined) {
      this.#link.send(way.to, message, size, text); // the receiver reports a response without a request
      return;
    }
    if (request.state === "answered") {
      back.open.delete(message.id);
      return;
    }
    if (request.state !== "forwarded") {
      const problem = `The ${way.from} responded to a request that it did not get`;
      this.#reports.report("unknown_response", problem, { method: request.method });
      return;
    }
    request.state = "responding";
    const result = "result" in message ? message.result : undefined;
    const session = request.session ?? sessionIn(result);
    if (request.response === undefined && (session === undefined || way.lanes.idle)) {
      this.#respond(way, request, message, size, text);
      return;
    }
    const entry: Entry = { kind: "response", request, ...heldCopy(message, size, text) };
    if (session === undefined) void this.#run(way, entry);
    else way.lanes.deliver(session, entry, entry.size);
  }

  /** Runs a message whose turn it is. The returned promise holds the messages after it. */
  #run(way: Way, entry: Entry): Promise<void> | undefined {
    if (this.#end !== undefined) return undefined;
    const { size, text } = entry;
    switch (entry.kind) {
      case "notification":
        if (entry.interceptor !== undefined)
          return this.#interception.notification(way, entry.interceptor, entry.message, size);
        if (!this.#sessions.hasPrivate || !this.#sessions.isPrivate(sessionIn(entry.message.params)))
          this.#link.send(way.to, entry.message, size, text);
        return undefined;
      case "request": {
        const { request, message } = entry;
        if (request.state === "answered") return undefined; // cancelled while it waited
        if (request.interceptor !== undefined)
          return this.#interception.request(way, request.interceptor, request, message, size);
        this.#forward(way, request, message, size, text);
        return undefined;
      }
      case "response":
        return this.#receivedResponse(way, entry);
      case "answer":
        this.#sendAnswer(way.to, entry.message);
        return undefined;
    }
  }

  #forward(way: Way, request: OpenRequest, message: RequestMessage, size: number, text?: string): void {
    const { method, session } = request;
    if (way.from === "agent" && this.#sessions.isPrivate(session)) {
      this.#answerPrivate(way, request);
      return;
    }
    request.state = "forwarded";
    if (way.from === "client") {
      if (method === "session/prompt") this.#sessions.promptForwarded(session);
      if (method === "initialize") {
        try {
          this.#link.send(way.to, this.#opening.request(message, request.opening), 0);
        } catch (error) {
          request.state = "intercepted"; // the agent has not got it
          this.#interceptorFailed(way, request, error);
        }
        return;
      }
    }
    this.#link.send(way.to, message, size, text);
  }

  /** Responds to a request of the agent in a session that the client does not know. */
  #answerPrivate(way: Way, request: OpenRequest): void {
    const { method, response, id } = request;
    const body =
      method === "session/request_permission"
        ? { result: { outcome: { outcome: "cancelled" } } }
        : { error: this.#errors.methodNotFound(method) };
    // An interceptor that has called next() gets the response and answers; the lane is not held meanwhile.
    if (response === undefined) this.#answer(way, request, body);
    else {
      request.state = "responding";
      response.resolve({ jsonrpc: "2.0", id, ...body } as ResponseMessage);
    }
  }

  /** Handles the response of a request's receiver. The returned promise holds later messages of the session. */
  #receivedResponse(
    way: Way,
    { request, message, size, text }: Extract<Entry, { kind: "response" }>,
  ): Promise<void> | undefined {
    if (request.state === "answered") {
      this.#ways[way.to].open.delete(request.id);
      return undefined;
    }
    if (request.response === undefined) {
      this.#respond(way, request, message, size, text);
      return undefined;
    }
    request.received = "result" in message ? message.result : undefined;
    if (request.passes) {
      this.#respond(way, request, message, size, text);
      request.response.resolve(message);
      return undefined;
    }
    request.finished = deferred();
    request.response.resolve(message);
    return request.finished.promise;
  }

  #respond(way: Way, request: OpenRequest, message: ResponseMessage, size: number, text?: string): void {
    const { id, method, session, opening } = request;
    request.state = "answered";
    this.#ways[way.to].open.delete(id);
    if (way.to === "client") {
      const result = "result" in message ? (message.result ?? null) : undefined;
      this.#sessions.responded(method, session, opening, result);
      if (method === "initialize") {
        request.received ??= result;
        this.#link.send(way.to, this.#initialized(request, message), 0);
        return;
      }
    }
    const shown = method === "session/list" ? this.#withoutPrivate(way, message) : message;
    this.#link.send(way.to, shown, shown === message ? size : 0, shown === message ? text : undefined);
  }

  #withoutPrivate(way: Way, message: ResponseMessage): ResponseMessage {
    if (way.to !== "client" || !("result" in message)) return message;
    const result = this.#sessions.withoutPrivate(message.result);
    return result === message.result ? message : { ...message, result };
  }

  #initialized({ id, method, received }: OpenRequest, message: ResponseMessage): ResponseMessage {
    try {
      return this.#opening.response(message, received);
    } catch (cause) {
      if (cause instanceof OpeningError) {
        this.#reports.report("initialize_failed", cause.message, { method });
        return { jsonrpc: "2.0", id, error: cause.error };
      }
      this.#reports.report("handler_failed", `The ACP proxy "${this.#errors.name}" failed`, { method, cause });
      return { jsonrpc: "2.0", id, error: this.#errors.thrown(cause) };
    }
  }

  #answer(way: Way, request: OpenRequest, body: { result: unknown } | { error: ErrorObject }): void {
    if (request.state === "answered" || this.#end !== undefined) return;
    const { id, session, finished } = request;
    const back = this.#ways[way.to];
    const message: ResponseMessage = { jsonrpc: "2.0", id, ...body };
    if (request.state === "forwarded") {
      // The response of the receiver comes too late, and is dropped.
      request.state = "answered";
      this.#link.send(way.to, { jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId: id } }, 0);
      this.#deliverAnswer(back, session, message);
    } else if (finished !== undefined) {
      try {
        this.#respond(back, request, message, 0);
      } catch (cause) {
        this.#sendAnswer(way.from, { jsonrpc: "2.0", id, error: this.#errors.thrown(cause) });
      }
      finished.resolve();
    } else {
      const result = "result" in body ? body.result : undefined;
      request.state = "answered";
      way.open.delete(id);
      if (way.from === "client") this.#sessions.responded(request.method, session, request.opening, result);
      const sent =
        way.from === "client" && request.method === "initialize" ? this.#initialized(request, message) : message;
      this.#deliverAnswer(back, session ?? sessionIn(result), sent);
    }
    request.call?.release();
  }

  #deliverAnswer(back: Way, session: string | undefined, message: ResponseMessage): void {
    if (session === undefined || back.lanes.idle) this.#sendAnswer(back.to, message);
    else back.lanes.deliver(session, { kind: "answer", message, size: 0 }, memoryOf(message));
  }

  /** Sends a response of the proxy. If it can't be serialized, its receiver gets an error. */
  #sendAnswer(to: Side, message: ResponseMessage): void {
    try {
      this.#link.send(to, message, 0);
    } catch (cause) {
      this.#reports.report("unserializable", "The result of an interceptor can't be serialized", { cause });
      this.#link.send(to, { jsonrpc: "2.0", id: message.id, error: this.#errors.thrown(cause) }, 0);
    }
  }

  #interceptorFailed(way: Way, request: OpenRequest, error: unknown): void {
    if (this.#end !== undefined || request.state === "answered") return;
    const { method, response } = request;
    if (this.#gone.has(way.to)) {
      // The sender gets the end of the connection as the reason.
      request.state = "answered";
      way.open.delete(request.id);
      return;
    }
    if (error instanceof ReceivedError) {
      this.#answer(way, request, { error: error.response.error as ErrorObject });
      return;
    }
    if (request.isTurnCancelled) {
      // The next prompt must not reach the agent before this turn has ended.
      const cancelled = (): void => this.#answer(way, request, this.#cancellation.prompt());
      if (request.state === "forwarded") response?.promise.then(cancelled, cancelled);
      else cancelled();
      return;
    }
    if (request.isCancelled) {
      this.#answer(way, request, { error: this.#cancellation.error() });
      return;
    }
    const isOpening = error instanceof OpeningError;
    if (!isRpcError(error)) {
      const problem = isOpening ? error.message : `The interceptor for ${method} failed, and the request was refused`;
      this.#reports.report(isOpening ? "initialize_failed" : "handler_failed", problem, {
        method,
        ...(!isOpening && { cause: error }),
      });
    }
    this.#answer(way, request, { error: isOpening ? error.error : this.#errors.thrown(error) });
  }

  /** Returns the error of a request that neither an interceptor nor its receiver gets. */
  #problemOf(way: Way, { id, method, params }: RequestMessage): ErrorObject | undefined {
    if (way.open.has(id) || this.#own[way.to].has(id))
      return this.#errors.object(-32600, "The id belongs to another open request", "refused");
    if (way.open.size >= MAX_OPEN_REQUESTS)
      return this.#errors.object(-32603, `More than ${MAX_OPEN_REQUESTS} requests are open`, "refused");
    // It could change which interceptors run, while the agent goes on in the version that it has chosen
    if (way.from === "client" && method === "initialize" && (this.#opening.isDone || isInitializing(way)))
      return this.#errors.object(-32600, "initialize was already called on this connection", "refused");
    if (this.#opening.isRemoved(way.to, method)) return this.#errors.methodNotFound(method);
    if (way.from === "client" && this.#sessions.isPrivate(sessionIn(params)))
      return this.#errors.object(-32002, "Resource not found: session", "refused");
    return undefined;
  }

  #refuseAmbiguous(way: Way, value: unknown, problem: string): void {
    this.#reports.report("invalid_message", `A message of the ${way.from} was refused: ${problem}`);
    const { id, method } = isJsonObject(value) ? value : {};
    if (typeof method === "string") this.#refuse(way, id, this.#errors.object(-32600, problem, "refused"));
  }

  #refuse(way: Way, id: unknown, error: ErrorObject): void {
    if (id === undefined) return;
    this.#link.send(way.from, { jsonrpc: "2.0", id: id as RequestId, error }, 0);
  }

  #side(to: Side): {
    request(method: string, params?: unknown, options?: ProxyRequestOptions): Promise<unknown>;
    notify(method: string, params?: unknown): void;
  } {
    return {
      request: async (method, params, { signal } = {}) => {
        if (!this.#opening.offers(to, method))
          throw new CapabilityError(method, `${neededCapabilities(this.#opening.rules.protocol, to, method)?.[0]}`);
        const opens = to === "agent" && method === "session/new";
        const response = this.#own[to].send(method, params, signal, (received) => {
          if (opens && "result" in received) this.#sessions.created(params, received.result);
        });
        this.#ways[to].flow.check();
        return this.#decoding.result(other[to], method, await response);
      },
      notify: (method, params) => {
        if (this.#end === undefined) this.#link.send(to, { jsonrpc: "2.0", method, params }, 0);
      },
    };
  }
}
