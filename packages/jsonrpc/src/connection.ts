import { ConnectionError } from "./connection-error.js";
import type { Diagnostic, DiagnosticListener } from "./diagnostic.js";
import { classify, type InvalidEnvelope, isRequestId } from "./envelope.js";
import { ErrorCode } from "./error-code.js";
import { FlowControl } from "./flow-control.js";
import type { NotificationHandler, ParamsDecoder, RequestHandler, Route } from "./handlers.js";
import { IncomingRequest } from "./incoming-request.js";
import { Lanes } from "./lanes.js";
import type { ErrorObject, Message, NotificationMessage, RequestId, RequestMessage } from "./message.js";
import { type ConnectionOptions, connectionDefaults, type RequestOptions } from "./options.js";
import { type PendingRequest, PendingRequests } from "./pending-requests.js";
import { isRpcError, methodNotFound, RpcError, requestCancelled, rpcErrorFrom } from "./rpc-error.js";
import type { Tap } from "./tap.js";
import type { MalformedInput, Transport } from "./transport.js";
import { unref } from "./unref.js";

/** The notification that asks the peer to cancel a request of ours. */
export const CANCEL_REQUEST = "$/cancel_request";

/** `ending`: no more requests; handlers may still answer. */
export type ConnectionState = "open" | "ending" | "closed";

/** A response whose request has been taken out of the pending ones, on its way through a lane. */
class Answer {
  readonly request: PendingRequest;
  readonly message: Record<string, unknown>;
  constructor(request: PendingRequest, message: Record<string, unknown>) {
    this.request = request;
    this.message = message;
  }
}

const everything = (): string => "";
const nothing = (): void => {};

/**
 * A JSON-RPC 2.0 peer over a {@link Transport}: sends and answers requests and notifications, both ways at once.
 *
 * Handlers are registered first, then {@link listen} starts delivery. Messages of one lane (`orderBy`) are handled in wire
 * order; a response settles after the handlers of everything that came before it. The connection owns its transport.
 *
 * @see https://www.jsonrpc.org/specification
 */
export class Connection {
  /**
   * Resolves with the reason once the connection has ended: every pending request is settled, every handler's signal has
   * aborted and the transport is closed. Never rejects.
   */
  readonly closed: Promise<ConnectionError>;

  readonly #transport: Transport;
  readonly #options: ConnectionOptions;
  readonly #requests = new Map<string, Route<RequestHandler>>();
  readonly #notifications = new Map<string, Route<NotificationHandler>>();
  readonly #pending = new PendingRequests();
  readonly #open = new Map<RequestId, IncomingRequest>();
  readonly #lanes: Lanes;
  readonly #flow: FlowControl;
  readonly #orderBy: (method: string, params: unknown) => string | undefined;
  readonly #taps: Tap[];
  #state: ConnectionState = "open";
  #reason: ConnectionError | undefined;
  #openCount = 0;
  #resolveClosed: (reason: ConnectionError) => void = nothing;
  readonly #idle = new Set<() => void>();

  constructor(transport: Transport, options: ConnectionOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#orderBy = options.orderBy ?? everything;
    this.#taps = options.tap === undefined ? [] : [options.tap];
    this.#flow = new FlowControl(
      transport,
      {
        highWaterMark: options.highWaterMark ?? connectionDefaults.highWaterMark,
        maxBacklog: options.maxBacklog ?? connectionDefaults.maxBacklog,
      },
      (hasBacklog) => this.#pending.every(({ key, ordered }) => ordered && key !== undefined && hasBacklog(key)),
      () =>
        this.#report({
          code: "backlog_full",
          message: "Handlers are too slow: reading has paused until they catch up",
        }),
    );
    this.#lanes = new Lanes((message, size) => this.#run(message, size), this.#flow);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /**
   * The bytes that wait for slow consumers. Whoever queues delivered messages (an async iterator, say) adds and removes them here,
   * under the key of their lane, so that reading pauses for them too.
   */
  get backlog(): Pick<FlowControl, "add" | "remove"> {
    return this.#flow;
  }

  /** Registers the handler of a request method; the last registration wins. `decode` reads the params first. */
  onRequest(method: string, handler: RequestHandler, decode?: ParamsDecoder): void {
    this.#requests.set(method, { handler, decode });
  }

  /** Registers the handler of a notification method; the last registration wins. `decode` reads the params first. */
  onNotification(method: string, handler: NotificationHandler, decode?: ParamsDecoder): void {
    this.#notifications.set(method, { handler, decode });
  }

  /** Adds a {@link Tap}; the returned function removes it. */
  tap(tap: Tap): () => void {
    this.#taps.push(tap);
    return () => {
      const index = this.#taps.indexOf(tap);
      if (index >= 0) this.#taps.splice(index, 1);
    };
  }

  /** Starts delivery. Call it once, when the handlers are registered. */
  listen(): void {
    this.#transport.start({
      message: (value, size) => this.#receive(value, size),
      malformed: (input) => this.#malformed(input),
      ended: () => this.#peerEnded(),
      failed: (error) => this.#failed(error),
    });
  }

  /**
   * Sends a request and resolves with its result.
   *
   * @throws {RpcError} when the peer answers with an error.
   * @throws {ConnectionError} when the connection ends, or the deadline passes, before the answer.
   * @throws {TypeError} when the params can't be serialised; nothing was sent.
   */
  request<Result = unknown>(method: string, params?: unknown, options: RequestOptions<Result> = {}): Promise<Result> {
    const promise = new Promise<Result>((resolve, reject) => {
      if (this.#reason !== undefined) {
        const { code, message } = this.#reason;
        reject(
          new ConnectionError(code, `${method}: ${message}`, { cause: this.#reason.cause ?? this.#reason, method }),
        );
        return;
      }
      const { signal } = options;
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const key = this.#orderBy(method, params);
      const request: PendingRequest = {
        id: this.#pending.nextId(),
        method,
        key,
        ordered: key !== undefined && (options.alwaysOrdered === true || !this.#lanes.isBusy(key)),
        decode: options.decode,
        resolve: resolve as (result: unknown) => void,
        reject,
        release: undefined,
      };
      this.#send({ jsonrpc: "2.0", id: request.id, method, params }); // throws into the promise
      this.#pending.add(request);
      this.#limit(request, options);
      if (this.#flow.paused) this.#flow.reconsider();
    });
    promise.catch(nothing); // a promise of ours is never unhandled: it may reject for everybody when the connection ends
    return promise;
  }

  /**
   * Sends a notification. The promise, when there is one, resolves once the transport has room again: await it to send no
   * faster than the peer reads. After the end of the connection nothing is sent.
   *
   * @throws {TypeError} when the params can't be serialised; nothing was sent.
   */
  notify(method: string, params?: unknown): Promise<void> | undefined {
    if (this.#state === "closed") return undefined;
    this.#send({ jsonrpc: "2.0", method, params });
    return this.#transport.full;
  }

  /**
   * Ends the connection: pending requests reject, handlers' signals abort, what was accepted for sending is written.
   * With `drainMs`, handlers may go on answering for that long first. Idempotent; resolves when all is done, never rejects.
   */
  async close(options: { readonly drainMs?: number; readonly reason?: unknown } = {}): Promise<void> {
    if (this.#state !== "closed") {
      this.#end("closed", "the connection was closed", options.reason);
      this.#abortOpen();
      if (options.drainMs) await this.#drained(options.drainMs);
      await this.#finish();
    }
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  // ── receiving ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #receive(value: unknown, size: number): void {
    if (this.#taps.length > 0) this.#tapped("received", value, size);
    const kind = classify(value);
    if (kind === "notification") {
      const { method, params } = value as NotificationMessage;
      const key = method === CANCEL_REQUEST ? undefined : this.#orderBy(method, params);
      if (method === CANCEL_REQUEST) this.#cancelled(params);
      else if (key === undefined) this.#run(value, size);
      else this.#lanes.deliver(key, value, size);
    } else if (kind === "response") {
      this.#answered(value as Record<string, unknown>, size);
    } else if (kind === "request") {
      const { id, method, params } = value as RequestMessage;
      if (this.#openCount >= (this.#options.maxOpenRequests ?? connectionDefaults.maxOpenRequests)) {
        this.#sendError(id, new RpcError(ErrorCode.InternalError, "Too many requests are open"));
        return;
      }
      const request = new IncomingRequest(id, method, params);
      this.#open.set(id, request); // from here on it can be cancelled, whether its handler has started or not
      this.#openCount += 1;
      const key = this.#orderBy(method, params);
      if (key === undefined) this.#handle(request);
      else this.#lanes.deliver(key, request, size);
    } else {
      this.#invalid(kind);
    }
  }

  /** Runs one message of a lane. Requests and answers don't hold the lane; a notification does until its handler has finished. */
  #run(message: unknown, size: number): PromiseLike<void> | undefined {
    if (message instanceof Answer) {
      this.#settle(message);
      return undefined;
    }
    if (message instanceof IncomingRequest) {
      this.#handle(message);
      return undefined;
    }
    return this.#notified(message as NotificationMessage, size);
  }

  #notified({ method, params }: NotificationMessage, size: number): PromiseLike<void> | undefined {
    const route = this.#notifications.get(method) ?? this.#options.fallback?.notification?.(method);
    if (route === undefined) {
      this.#report({ code: "unknown_notification", message: `Nobody handles ${method}`, method });
      return undefined;
    }
    let decoded = params;
    if (route.decode !== undefined) {
      try {
        decoded = route.decode(params);
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        this.#report({ code: "invalid_params", message: `${method} was dropped: ${message}`, method, cause });
        return undefined;
      }
    }
    try {
      const running = route.handler(decoded, size);
      if (!isThenable(running)) return undefined;
      return running.then(nothing, (cause: unknown) => this.#handlerFailed(method, cause));
    } catch (cause) {
      this.#handlerFailed(method, cause);
      return undefined;
    }
  }

  #handle(request: IncomingRequest): void {
    const { method, params } = request;
    try {
      const route = this.#requests.get(method) ?? this.#options.fallback?.request?.(method);
      if (route === undefined) throw methodNotFound(method);
      if (request.aborted) throw requestCancelled(); // before its turn came
      const result = route.handler(route.decode === undefined ? params : route.decode(params), request);
      if (isThenable(result)) {
        result.then(
          (value) => this.#respond(request, value),
          (error: unknown) => this.#respondError(request, error),
        );
      } else {
        this.#respond(request, result);
      }
    } catch (error) {
      this.#respondError(request, error);
    }
  }

  #respond(request: IncomingRequest, value: unknown): void {
    if (!this.#finished(request)) return;
    const result = value === undefined ? null : value;
    try {
      if (typeof result === "function" || typeof result === "symbol")
        throw new TypeError(`the result is a ${typeof result}`);
      this.#send({ jsonrpc: "2.0", id: request.id, result });
    } catch (cause) {
      const { id, method } = request;
      this.#report({
        code: "unserializable",
        message: `The result of ${method} can't be serialised`,
        method,
        id,
        cause,
      });
      this.#sendError(id, new RpcError(ErrorCode.InternalError, "Internal error: the result can't be serialised"));
    }
    this.#checkIdle();
  }

  #respondError(request: IncomingRequest, error: unknown): void {
    if (!this.#finished(request)) return;
    this.#sendError(request.id, this.#answerFor(request, error));
    this.#checkIdle();
  }

  #answerFor(request: IncomingRequest, error: unknown): RpcError {
    if (isRpcError(error)) return error;
    if (request.aborted) return requestCancelled();
    const { id, method } = request;
    const message = `The handler of ${method} failed; the peer was told "Internal error"`;
    this.#report({ code: "handler_failed", message, method, id, cause: error });
    return new RpcError(ErrorCode.InternalError, "Internal error");
  }

  #finished(request: IncomingRequest): boolean {
    this.#openCount -= 1;
    if (this.#open.get(request.id) === request) this.#open.delete(request.id);
    return this.#state !== "closed";
  }

  #answered(message: Record<string, unknown>, size: number): void {
    const request = this.#pending.take(message.id);
    if (request === undefined) {
      this.#unexpectedAnswer(message.id);
      return;
    }
    const answer = new Answer(request, message);
    const { key } = request;
    if (key !== undefined && request.ordered && this.#lanes.isBusy(key)) this.#lanes.deliver(key, answer, size);
    else this.#settle(answer);
    if (this.#flow.paused) this.#flow.reconsider();
  }

  #settle({ request, message }: Answer): void {
    if (message.error !== undefined && message.error !== null) {
      request.reject(rpcErrorFrom(message.error));
      return;
    }
    try {
      request.resolve(request.decode === undefined ? message.result : request.decode(message.result));
    } catch (error) {
      request.reject(error);
    }
  }

  #unexpectedAnswer(id: unknown): void {
    const known = isRequestId(id) ? id : undefined;
    if (this.#pending.wasIssued(id)) {
      this.#report({
        code: "late_response",
        message: `Request ${id} is settled: this answer is late or a duplicate`,
        id: known,
      });
    } else {
      this.#report({ code: "unknown_response", message: "A response answers no request of ours", id: known });
    }
  }

  #cancelled(params: unknown): void {
    const id =
      typeof params === "object" && params !== null ? (params as { requestId?: unknown }).requestId : undefined;
    this.#open.get(id as RequestId)?.abort(requestCancelled()); // unknown or answered: nothing to do
  }

  #invalid({ id, reason, response }: InvalidEnvelope): void {
    this.#report({ code: "invalid_message", message: `Received something that is no message: ${reason}`, id });
    const answered = typeof id === "number" ? this.#pending.take(id) : undefined;
    if (answered !== undefined) {
      const { method } = answered;
      answered.reject(
        new ConnectionError("invalid_response", `${method}: the answer is not a response: ${reason}`, { method }),
      );
    } else if (!response) {
      this.#sendError(id, new RpcError(ErrorCode.InvalidRequest, `Invalid request: ${reason}`));
    }
  }

  #malformed(input: MalformedInput): void {
    if (this.#taps.length > 0) this.#tapped("received", input.excerpt, input.size, true);
    this.#report({ code: "malformed_input", message: input.message, data: input });
    if (this.#options.answerMalformed === false) return;
    const error =
      input.kind === "not_json"
        ? new RpcError(ErrorCode.ParseError, "Parse error")
        : new RpcError(ErrorCode.InvalidRequest, input.message);
    this.#sendError(null, error);
  }

  // ── sending ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #send(message: Message): void {
    const size = this.#transport.send(message);
    if (this.#taps.length > 0) this.#tapped("sent", message, size);
  }

  #sendError(id: RequestId, error: RpcError): void {
    if (this.#state === "closed") return;
    const { code, message, data } = error;
    const object: ErrorObject = data === undefined ? { code, message } : { code, message, data };
    try {
      this.#send({ jsonrpc: "2.0", id, error: object });
    } catch (cause) {
      this.#report({ code: "unserializable", message: "The `data` of an error can't be serialised", id, cause });
      this.#send({ jsonrpc: "2.0", id, error: { code, message } });
    }
  }

  /** Arms the deadline and the caller's signal of a request. */
  #limit(request: PendingRequest, options: RequestOptions<never> | RequestOptions): void {
    const { signal } = options;
    const timeoutMs = options.timeoutMs ?? this.#options.requestTimeoutMs ?? connectionDefaults.requestTimeoutMs;
    if (signal === undefined && timeoutMs <= 0) return;
    const { id, method } = request;
    let deadline: unknown;
    let grace: unknown;
    const settle = (error: () => unknown): void => {
      this.#pending.take(id)?.reject(error());
      if (this.#flow.paused) this.#flow.reconsider();
    };
    const cancel = (): void => {
      this.notify(CANCEL_REQUEST, { requestId: id });
      const graceMs = this.#options.cancelGraceMs ?? connectionDefaults.cancelGraceMs;
      grace = unref(setTimeout(() => settle(() => signal?.reason), graceMs));
    };
    if (timeoutMs > 0) {
      deadline = unref(
        setTimeout(() => {
          if (this.#state === "open") this.notify(CANCEL_REQUEST, { requestId: id });
          settle(() => new ConnectionError("timeout", `${method}: no answer within ${timeoutMs} ms`, { method }));
        }, timeoutMs),
      );
    }
    signal?.addEventListener("abort", cancel, { once: true });
    request.release = () => {
      clearTimeout(deadline as number);
      clearTimeout(grace as number);
      signal?.removeEventListener("abort", cancel);
    };
  }

  // ── ending ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  #peerEnded(): void {
    if (!this.#end("peer_closed", "the peer closed the connection")) return;
    try {
      this.#options.onPeerEnded?.();
    } catch (cause) {
      this.#report({ code: "hook_failed", message: "onPeerEnded failed", cause });
    }
    const drainMs = this.#options.drainTimeoutMs ?? connectionDefaults.drainTimeoutMs;
    void this.#drained(drainMs).then(() => this.#finish());
  }

  #failed(error: unknown): void {
    if (this.#state === "closed") return;
    const message = error instanceof Error ? error.message : "the transport failed";
    this.#end("transport_failed", message, error);
    void this.#finish();
  }

  /** Settles everything that waits for an answer. The first reason wins; `false` when there was one already. */
  #end(code: ConnectionError["code"], message: string, cause?: unknown): boolean {
    if (this.#reason !== undefined) return false;
    this.#reason = new ConnectionError(code, message, cause === undefined ? {} : { cause });
    this.#state = "ending";
    this.#pending.rejectAll(this.#reason);
    this.#flow.reconsider();
    return true;
  }

  #abortOpen(): void {
    for (const request of this.#open.values()) request.abort(this.#reason);
  }

  /** Resolves when every request of the peer is answered, or after `limitMs`. */
  #drained(limitMs: number): Promise<void> {
    if (this.#openCount === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#idle.delete(done);
        resolve();
      };
      const timer = setTimeout(done, limitMs);
      this.#idle.add(done);
    });
  }

  #checkIdle(): void {
    if (this.#openCount === 0) for (const done of [...this.#idle]) done();
  }

  async #finish(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    for (const done of [...this.#idle]) done();
    this.#abortOpen();
    await this.#transport.close();
    this.#resolveClosed(this.#reason as ConnectionError);
  }

  // ── telling ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #handlerFailed(method: string, cause: unknown): void {
    this.#report({ code: "handler_failed", message: `The handler of ${method} failed`, method, cause });
  }

  #report(diagnostic: Diagnostic): void {
    const listener: DiagnosticListener | undefined = this.#options.onDiagnostic;
    try {
      listener?.(diagnostic);
    } catch {
      // A listener that throws must not change what the connection does.
    }
  }

  #tapped(direction: "sent" | "received", message: unknown, size: number, malformed?: true): void {
    const time = performance.now();
    for (const tap of this.#taps) {
      try {
        tap(malformed ? { direction, time, size, message, malformed } : { direction, time, size, message });
      } catch {
        // As above.
      }
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
