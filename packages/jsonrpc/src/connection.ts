// Our declarations name `Symbol.asyncDispose`. This reference adds its type to code whose `lib` does not contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import type { ConnectionError } from "./connection-error.js";
import { Dispatch } from "./dispatch.js";
import { type ConnectionState, Ending } from "./ending.js";
import { type Backlog, FlowControl } from "./flow-control.js";
import type { NotificationHandler, ParamsDecoder, RequestHandler } from "./handlers.js";
import { Inbox } from "./inbox.js";
import type { IncomingRequest } from "./incoming-request.js";
import { JsonText, TextNotification } from "./json-text.js";
import { Lanes } from "./lanes.js";
import type { NotificationMessage } from "./message.js";
import { Observers } from "./observers.js";
import { OpenRequests } from "./open-requests.js";
import { type ConnectionOptions, connectionLimitsOf, type RequestOptions } from "./options.js";
import { laneOf } from "./order-by.js";
import { Outbox } from "./outbox.js";
import { assertParams, OutgoingRequests, QueuedResponse } from "./outgoing-requests.js";
import { Responses } from "./responses.js";
import { Shutdown } from "./shutdown.js";
import type { Tap } from "./tap.js";
import type { Transport } from "./transport.js";

const backlogs = new WeakMap<Connection, Backlog>();

/**
 * Returns the backlog of a connection, for code that queues messages whose handlers have finished. The queued bytes
 * count like those of messages that wait for handlers.
 */
export function backlogOf(connection: Connection): Backlog {
  return backlogs.get(connection) as Backlog;
}

/**
 * A JSON-RPC 2.0 peer over a {@link Transport}: sends and handles requests and notifications in both directions.
 *
 * Register the handlers first, then call {@link listen}. Messages of one lane (see `orderBy`) are handled in the order
 * in which they arrived. A request settles only when the handlers of all notifications that arrived in its lane before
 * its response have finished. The connection owns its transport: closing the connection closes the transport.
 *
 * @see https://www.jsonrpc.org/specification
 */
export class Connection {
  /**
   * A promise that resolves with the reason once the connection has ended: every pending request has settled, the
   * signal of every handler has aborted and the transport is closed. The promise never rejects.
   */
  readonly closed: Promise<ConnectionError>;

  readonly #transport: Transport;
  readonly #observers: Observers;
  readonly #outbox: Outbox;
  readonly #dispatch: Dispatch;
  readonly #flow: FlowControl;
  readonly #requests: OutgoingRequests;
  readonly #inbox: Inbox;
  readonly #ending: Ending;
  readonly #shutdown: Shutdown;
  #listening = false;

  constructor(transport: Transport, options: ConnectionOptions = {}) {
    const limits = connectionLimitsOf(options);
    const observers = new Observers(options.onDiagnostic, options.tap);
    const outbox = new Outbox(transport, observers);
    const ending: Ending = new Ending(() => open.size === 0 && lanes.idle);
    const open = new OpenRequests(() => ending.checkIdle());
    const responses = new Responses(outbox, open, observers);
    const dispatch = new Dispatch(options.fallback, responses, observers);
    const flow: FlowControl = new FlowControl(transport, {
      maxBacklogBytes: limits.maxBacklogBytes,
      // Reading also continues while the transport has no room: the peer may read nothing until this side has read the
      // peer's messages, so a pause could block both sides.
      isAwaited: () => requests.areAwaited || outbox.full !== undefined,
      exceeded: (bytes) => shutdown.exceeded(bytes),
    });
    const lanes = new Lanes<NotificationMessage, IncomingRequest | QueuedResponse>(
      {
        run: (message, size) => dispatch.notify(message, size),
        pass: (entry) => (entry instanceof QueuedResponse ? requests.settle(entry) : dispatch.handle(entry)),
        contentOf: (entry) => (entry instanceof QueuedResponse ? entry.message : entry.params),
        failed: (message, cause) => dispatch.failed(message, cause),
        freed: () => {
          flow.check();
          ending.checkIdle();
        },
      },
      flow,
    );
    const parts = { observers, outbox, open, responses, dispatch, flow, lanes, ending, limits };
    const order = laneOf(options, observers);
    const respondWhileClosing = options.respondWhileClosing ?? true;
    const requests: OutgoingRequests = new OutgoingRequests({
      ...parts,
      laneOf: order,
      onErrorWithoutId: options.onErrorWithoutId,
    });
    this.#transport = transport;
    this.#observers = observers;
    this.#outbox = outbox;
    this.#dispatch = dispatch;
    this.#flow = flow;
    backlogs.set(this, flow);
    this.#requests = requests;
    this.#ending = ending;
    this.#inbox = new Inbox({
      ...parts,
      requests,
      laneOf: order,
      onQueued: options.onQueued,
      maxOpenRequests: limits.maxOpenRequests,
      respondToMalformed: options.respondToMalformed ?? true,
      respondWhileClosing,
    });
    const shutdown: Shutdown = new Shutdown({
      ...parts,
      requests,
      transport,
      onPeerEnded: options.onPeerEnded,
      respondWhileClosing,
    });
    this.#shutdown = shutdown;
    this.closed = ending.closed;
  }

  get state(): ConnectionState {
    return this.#ending.state;
  }

  /** Whether the connection has paused reading, because handlers or the readers of queues are too slow. */
  get paused(): boolean {
    return this.#flow.paused;
  }

  /**
   * Registers the handler for requests of a method. A later registration for the same method replaces it. `decode`
   * checks and converts the params before the handler is called.
   */
  onRequest(method: string, handler: RequestHandler, decode?: ParamsDecoder): void {
    this.#dispatch.requests.set(method, { handler, decode });
  }

  /**
   * Registers the handler for notifications of a method. A later registration for the same method replaces it. `decode`
   * checks and converts the params before the handler is called.
   */
  onNotification(method: string, handler: NotificationHandler, decode?: ParamsDecoder): void {
    this.#dispatch.notifications.set(method, { handler, decode });
  }

  /** Adds a {@link Tap} to the connection. The returned function removes it. */
  tap(tap: Tap): () => void {
    return this.#observers.tap(tap);
  }

  /**
   * From now on, a request of the peer with the id `null` is invalid. It gets an error, and so does an array, even
   * without {@link ConnectionOptions.respondToMalformed}.
   */
  requireIds(): void {
    this.#inbox.requiresIds = true;
  }

  /**
   * Starts reading messages from the transport. Call it once, after all handlers are registered.
   *
   * @throws {TypeError} when called a second time.
   */
  listen(): void {
    if (this.#listening) throw new TypeError("listen() was called twice");
    this.#listening = true;
    if (this.state !== "open") return;
    const shutdown = this.#shutdown;
    const inbox = this.#inbox;
    try {
      this.#transport.start({
        message: (value, size) => inbox.message(value, size),
        malformed: (input) => inbox.malformed(input),
        ended: () => shutdown.ended(),
        failed: (error) => shutdown.failed(error),
      });
    } catch (error) {
      shutdown.failed(error);
    }
  }

  /**
   * Sends a request and resolves with its result.
   *
   * @throws {RpcError} when the peer responds with an error.
   * @throws {ConnectionError} when the connection ends or the deadline passes before the response arrives.
   * @throws {TypeError} when the params can't be sent; nothing is sent then.
   */
  request<Result = unknown>(method: string, params?: unknown, options: RequestOptions<Result> = {}): Promise<Result> {
    return this.#requests.send(method, params, options, this.#ending.reason);
  }

  /**
   * Sends a notification. Returns a promise only while the transport has no room; the promise resolves when there is
   * room again. Await it to send no faster than the peer reads. After the connection has ended, the method does
   * nothing.
   *
   * @param params an object, an array, or a {@link JsonText} of one.
   * @throws {TypeError} when the params can't be sent; nothing is sent then.
   */
  notify(method: string, params?: unknown): Promise<void> | undefined {
    assertParams(method, params);
    if (params instanceof JsonText) {
      const message = new TextNotification(method, params);
      this.#outbox.send(message, message.text);
    } else this.#outbox.send({ jsonrpc: "2.0", method, params });
    const { full } = this.#outbox;
    if (full !== undefined) this.#flow.check();
    return full;
  }

  /**
   * Closes the connection: pending requests reject, the signals of handlers abort, queued messages are flushed. With
   * `drainTimeoutMs`, running handlers have that many milliseconds to respond after their signals have aborted; new
   * requests of the peer are refused during this time. A second call without `drainTimeoutMs` ends the waiting time of
   * an earlier call; otherwise, a second call has no effect. The returned promise resolves when the connection has
   * ended and never rejects.
   */
  close({
    drainTimeoutMs = 0,
    reason,
  }: {
    readonly drainTimeoutMs?: number;
    readonly reason?: unknown;
  } = {}): Promise<void> {
    return this.#shutdown.close(drainTimeoutMs, reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
