import { Answers } from "./answers.js";
import type { ConnectionError } from "./connection-error.js";
import { Dispatch } from "./dispatch.js";
import { type ConnectionState, closeTransport, Ending } from "./ending.js";
import { classify, type InvalidEnvelope } from "./envelope.js";
import { ErrorCode } from "./error-code.js";
import { type Backlog, FlowControl } from "./flow-control.js";
import type { NotificationHandler, ParamsDecoder, RequestHandler } from "./handlers.js";
import { IncomingRequest } from "./incoming-request.js";
import { Lanes } from "./lanes.js";
import { CANCEL_REQUEST, type NotificationMessage, type RequestMessage } from "./message.js";
import { Observers } from "./observers.js";
import { OpenRequests } from "./open-requests.js";
import { type ConnectionOptions, connectionDefaults, type RequestOptions } from "./options.js";
import { Outbox } from "./outbox.js";
import { Answer, assertParams, OutgoingRequests } from "./outgoing-requests.js";
import { RpcError, requestCancelled } from "./rpc-error.js";
import type { Tap } from "./tap.js";
import type { MalformedInput, Transport } from "./transport.js";

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
  readonly #observers: Observers;
  readonly #outbox: Outbox;
  readonly #open: OpenRequests;
  readonly #answers: Answers;
  readonly #dispatch: Dispatch;
  readonly #flow: FlowControl;
  readonly #lanes: Lanes<NotificationMessage, IncomingRequest | Answer>;
  readonly #requests: OutgoingRequests;
  readonly #ending: Ending;
  #listening = false;

  constructor(transport: Transport, options: ConnectionOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    const observers = new Observers(options.onDiagnostic, options.tap);
    const outbox = new Outbox(transport, observers);
    const open = new OpenRequests(() => this.#ending.checkIdle());
    const answers = new Answers(outbox, open, observers);
    const dispatch = new Dispatch(options.fallback, answers, observers);
    const flow = new FlowControl(
      transport,
      {
        highWaterMark: options.highWaterMark ?? connectionDefaults.highWaterMark,
        maxBacklog: options.maxBacklog ?? connectionDefaults.maxBacklog,
        stallTimeoutMs: options.stallTimeoutMs ?? connectionDefaults.stallTimeoutMs,
      },
      {
        starves: () => this.#requests.starve(),
        full: () => this.#backlogFull("Handlers are too slow: reading has paused until they catch up"),
        stalled: () => {
          this.#backlogFull(
            "No handler finishes and reading has paused: the requests that wait for an answer are given up",
          );
          this.#requests.rejectStarving();
        },
      },
    );
    const lanes = new Lanes<NotificationMessage, IncomingRequest | Answer>(
      {
        run: (message, size) => dispatch.notify(message, size),
        pass: (guest) =>
          guest instanceof Answer ? this.#requests.settle(guest.request, guest.message) : dispatch.handle(guest),
        failed: (message, cause) => dispatch.failed(message, cause),
        idle: () => this.#ending.checkIdle(),
      },
      flow.lanes,
    );
    const laneOf = this.#laneOf.bind(this);
    this.#observers = observers;
    this.#outbox = outbox;
    this.#open = open;
    this.#answers = answers;
    this.#dispatch = dispatch;
    this.#flow = flow;
    this.#lanes = lanes;
    this.#requests = new OutgoingRequests({ outbox, lanes, flow, observers, options, laneOf });
    this.#ending = new Ending(() => open.size === 0 && lanes.idle);
    this.closed = this.#ending.closed;
  }

  get state(): ConnectionState {
    return this.#ending.state;
  }

  /**
   * The bytes that wait for slow consumers. Whoever queues delivered messages (an async iterator, say) adds and removes them here,
   * under the key of their lane, so that reading pauses for them too.
   *
   * A consumer of such a queue may await any answer over this connection, except that of an `alwaysOrdered` request of the same key:
   * reading may pause until the queue is consumed, and with it that answer.
   */
  get backlog(): Backlog {
    return this.#flow.queues;
  }

  /** Registers the handler of a request method; the last registration wins. `decode` reads the params first. */
  onRequest(method: string, handler: RequestHandler, decode?: ParamsDecoder): void {
    this.#dispatch.requests.set(method, { handler, decode });
  }

  /** Registers the handler of a notification method; the last registration wins. `decode` reads the params first. */
  onNotification(method: string, handler: NotificationHandler, decode?: ParamsDecoder): void {
    this.#dispatch.notifications.set(method, { handler, decode });
  }

  /** Adds a {@link Tap}; the returned function removes it. */
  tap(tap: Tap): () => void {
    return this.#observers.tap(tap);
  }

  /**
   * Starts delivery. Call it once, when the handlers are registered.
   *
   * @throws {TypeError} the second time.
   */
  listen(): void {
    if (this.#listening) throw new TypeError("The connection is listening already");
    this.#listening = true;
    if (this.state !== "open") return;
    try {
      this.#transport.start({
        message: (value, size) => this.#receive(value, size),
        malformed: (input) => this.#malformed(input),
        ended: () => this.#peerEnded(),
        failed: (error) => this.#failed(error),
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  /**
   * Sends a request and resolves with its result.
   *
   * @throws {RpcError} when the peer answers with an error.
   * @throws {ConnectionError} when the connection ends, or the deadline passes, before the answer.
   * @throws {TypeError} when the params can't be sent; nothing was.
   */
  request<Result = unknown>(method: string, params?: unknown, options: RequestOptions<Result> = {}): Promise<Result> {
    return this.#requests.send(method, params, options, this.#ending.reason);
  }

  /**
   * Sends a notification. The promise, when there is one, resolves once the transport has room again: await it to send no
   * faster than the peer reads. After the end of the connection nothing is sent.
   *
   * @throws {TypeError} when the params can't be sent; nothing was.
   */
  notify(method: string, params?: unknown): Promise<void> | undefined {
    assertParams(method, params);
    this.#outbox.send({ jsonrpc: "2.0", method, params });
    return this.#outbox.full;
  }

  /**
   * Ends the connection: pending requests reject, handlers' signals abort, what was accepted for sending is written.
   * With `drainMs`, handlers may go on answering for that long first; what the peer asks meanwhile is refused.
   * Idempotent, but a later call without `drainMs` ends the wait of an earlier one. Resolves when all is done, never rejects.
   */
  async close(options: { readonly drainMs?: number; readonly reason?: unknown } = {}): Promise<void> {
    if (this.state !== "closed") {
      const reason = this.#ending.begin("closed", "the connection was closed", options.reason);
      if (reason !== undefined) this.#requests.end(reason, { arrived: true });
      this.#abortOpen();
      if (options.drainMs !== undefined) await this.#ending.idle(options.drainMs);
      await this.#finish();
    }
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  // ── receiving ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #receive(value: unknown, size: number): void {
    if (this.state === "closed") return;
    if (this.#observers.tapped) this.#observers.see("received", value, size);
    const kind = classify(value);
    if (kind === "notification") this.#notification(value as NotificationMessage, size);
    else if (kind === "response") this.#requests.answered(value as Record<string, unknown>, size);
    else if (kind === "request") this.#request(value as RequestMessage, size);
    else this.#invalid(kind);
  }

  #notification(message: NotificationMessage, size: number): void {
    const { method, params } = message;
    if (method === CANCEL_REQUEST) {
      this.#cancelled(params);
      return;
    }
    const key = this.#laneOf(method, params);
    if (key !== undefined) this.#lanes.deliver(key, message, size);
    else this.#dispatch.notify(message, size)?.catch((cause: unknown) => this.#dispatch.failed(message, cause));
  }

  #request({ id, method, params }: RequestMessage, size: number): void {
    const limit = this.#options.maxOpenRequests ?? connectionDefaults.maxOpenRequests;
    if (this.#open.size >= limit) {
      const message = `More than ${limit} requests are open`;
      this.#observers.report({ code: "too_many_requests", message: `${message}: ${method} was refused`, method, id });
      this.#answers.reject(id, new RpcError(ErrorCode.InternalError, message));
      return;
    }
    if (this.#ending.reason?.code === "closed") {
      this.#answers.reject(id, requestCancelled("The connection is being closed"));
      return;
    }
    const request = new IncomingRequest(id, method, params);
    this.#open.add(request); // from here on it can be cancelled, whether its handler has started or not
    const key = this.#laneOf(method, params);
    if (key === undefined) this.#dispatch.handle(request);
    else this.#lanes.pass(key, request, size);
  }

  #cancelled(params: unknown): void {
    const id = (params as { requestId?: unknown } | null | undefined)?.requestId;
    for (const request of this.#open.withId(id)) this.#abort(request, requestCancelled()); // unknown or answered: nothing to do
  }

  #invalid({ id, reason, likely }: InvalidEnvelope): void {
    this.#observers.report({
      code: "invalid_message",
      message: `Received something that is no message: ${reason}`,
      id,
    });
    if (likely === "notification" || (likely === "response" && this.#requests.invalid(id, reason))) return;
    this.#answers.reject(id, new RpcError(ErrorCode.InvalidRequest, `Invalid request: ${reason}`));
  }

  #malformed(input: MalformedInput): void {
    if (this.state === "closed") return;
    if (this.#observers.tapped) this.#observers.see("received", input.excerpt, input.size, true);
    this.#observers.report({ code: "malformed_input", message: input.message, data: input });
    if (this.#options.answerMalformed === false) return;
    const error =
      input.kind === "not_json"
        ? new RpcError(ErrorCode.ParseError, "Parse error")
        : new RpcError(ErrorCode.InvalidRequest, input.message);
    this.#answers.reject(null, error);
  }

  #laneOf(method: string, params: unknown): string | undefined {
    const { orderBy } = this.#options;
    if (orderBy === undefined) return ""; // everything is one lane
    try {
      return orderBy(method, params);
    } catch (cause) {
      this.#observers.report({ code: "hook_failed", message: `orderBy failed for ${method}`, method, cause });
      return undefined;
    }
  }

  #backlogFull(message: string): void {
    this.#observers.report({ code: "backlog_full", message });
  }

  // ── ending ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The peer sends nothing more. What has arrived is handled, and answered, because the peer may still be reading. */
  #peerEnded(): void {
    const reason = this.#ending.begin("peer_closed", "the peer closed the connection", undefined);
    if (reason === undefined) return;
    this.#requests.end(reason, { arrived: false });
    this.#observers.call("onPeerEnded", this.#options.onPeerEnded);
    void this.#drain();
  }

  /** Nothing can be sent any more. What has arrived is handled all the same. */
  #failed(error: unknown): void {
    if (this.state === "closed") return;
    const message = error instanceof Error ? error.message : "the transport failed";
    const reason = this.#ending.begin("transport_failed", message, error);
    if (reason !== undefined) this.#requests.end(reason, { arrived: false });
    this.#outbox.end();
    this.#open.abortAll(this.#ending.reason);
    this.#open.clear();
    this.#ending.checkIdle();
    if (reason !== undefined) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#flow.stop();
    await this.#ending.idle(this.#options.drainTimeoutMs ?? connectionDefaults.drainTimeoutMs);
    await this.#finish();
  }

  /** A request whose handler has not started is answered at once: it may be waiting behind a handler that never finishes. */
  #abort(request: IncomingRequest, reason: unknown): void {
    request.abort(reason);
    if (!request.started) this.#answers.error(request, requestCancelled());
  }

  #abortOpen(): void {
    for (const request of this.#open.all()) this.#abort(request, this.#ending.reason);
  }

  async #finish(): Promise<void> {
    const { reason } = this.#ending;
    if (reason === undefined || !this.#ending.finish()) return;
    this.#flow.stop();
    this.#outbox.end();
    this.#open.abortAll(reason);
    this.#open.clear();
    this.#requests.end(reason, { arrived: true });
    const dropped = this.#lanes.clear();
    if (dropped > 0) {
      const message = `${dropped} messages were not handled before the connection ended`;
      this.#observers.report({ code: "backlog_dropped", message });
    }
    const error = await closeTransport(
      this.#transport,
      this.#options.closeTimeoutMs ?? connectionDefaults.closeTimeoutMs,
    );
    if (error !== undefined) {
      this.#observers.report({ code: "close_failed", message: "The transport did not close in order", cause: error });
    }
    this.#ending.finished();
  }
}
