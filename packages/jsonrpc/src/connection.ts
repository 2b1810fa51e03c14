// Code that compiles without this library in `lib` gets it from our declarations, which name `Symbol.asyncDispose`.
/// <reference lib="esnext.disposable" preserve="true" />

import type { ConnectionError } from "./connection-error.js";
import { Dispatch } from "./dispatch.js";
import { type ConnectionState, Ending } from "./ending.js";
import { type Backlog, FlowControl } from "./flow-control.js";
import type { NotificationHandler, ParamsDecoder, RequestHandler } from "./handlers.js";
import { Inbox } from "./inbox.js";
import type { IncomingRequest } from "./incoming-request.js";
import { Lanes } from "./lanes.js";
import type { NotificationMessage } from "./message.js";
import { Observers } from "./observers.js";
import { OpenRequests } from "./open-requests.js";
import { type ConnectionOptions, limitsOf, type RequestOptions } from "./options.js";
import { laneOf } from "./order-by.js";
import { Outbox } from "./outbox.js";
import { assertParams, OutgoingRequests, QueuedResponse } from "./outgoing-requests.js";
import { Responses } from "./responses.js";
import { Shutdown } from "./shutdown.js";
import type { Tap } from "./tap.js";
import type { Transport } from "./transport.js";

/**
 * A JSON-RPC 2.0 peer over a {@link Transport}: sends and handles requests and notifications in both directions.
 *
 * Register the handlers first, then call {@link listen} to start delivery. Messages of one lane (`orderBy`) are handled in wire
 * order; a response settles its request after the handlers of everything that arrived before it. The connection owns its
 * transport.
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
    const limits = limitsOf(options);
    const observers = new Observers(options.onDiagnostic, options.tap);
    const outbox = new Outbox(transport, observers);
    const ending: Ending = new Ending(() => open.size === 0 && lanes.idle);
    const open = new OpenRequests(() => ending.checkIdle());
    const responses = new Responses(outbox, open, observers);
    const dispatch = new Dispatch(options.fallback, responses, observers);
    const full = (message: string): void => observers.report({ code: "backlog_full", message });
    const flow: FlowControl = new FlowControl(transport, limits, {
      // A peer that gives us no room to write may itself be waiting for us to read.
      starves: () => requests.starve || outbox.full !== undefined,
      full: () => full("Handlers are too slow: reading has paused until they catch up"),
      stalled: () => {
        full("No handler finishes while reading has paused: requests whose responses can't be read reject");
        requests.rejectStarving();
      },
    });
    const lanes = new Lanes<NotificationMessage, IncomingRequest | QueuedResponse>(
      {
        run: (message, size) => dispatch.notify(message, size),
        pass: (entry) => (entry instanceof QueuedResponse ? requests.settle(entry) : dispatch.handle(entry)),
        failed: (message, cause) => dispatch.failed(message, cause),
        idle: () => ending.checkIdle(),
      },
      flow.lanes,
    );
    const parts = { observers, outbox, open, responses, dispatch, flow, lanes, ending, limits };
    const order = laneOf(options, observers);
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
    this.#requests = requests;
    this.#ending = ending;
    this.#inbox = new Inbox({
      ...parts,
      requests,
      laneOf: order,
      maxOpenRequests: limits.maxOpenRequests,
      respondToMalformed: options.respondToMalformed ?? true,
    });
    this.#shutdown = new Shutdown({ ...parts, requests, transport, onPeerEnded: options.onPeerEnded });
    this.closed = ending.closed;
  }

  get state(): ConnectionState {
    return this.#ending.state;
  }

  /**
   * The bytes buffered for slow consumers. A component that queues delivered messages (an async iterator, for example) adds and
   * removes their sizes here, under the key of their lane, so that reading pauses for them too.
   *
   * The consumer of such a queue may await any response over this connection, except that of an `alwaysOrdered` request with
   * the same key: reading may pause until the queue is consumed, and that response with it.
   */
  get backlog(): Backlog {
    return this.#flow.queues;
  }

  /** Registers the handler of a request method; the last registration wins. `decode` runs first, on the params. */
  onRequest(method: string, handler: RequestHandler, decode?: ParamsDecoder): void {
    this.#dispatch.requests.set(method, { handler, decode });
  }

  /** Registers the handler of a notification method; the last registration wins. `decode` runs first, on the params. */
  onNotification(method: string, handler: NotificationHandler, decode?: ParamsDecoder): void {
    this.#dispatch.notifications.set(method, { handler, decode });
  }

  /** Adds a {@link Tap}; the returned function removes it. */
  tap(tap: Tap): () => void {
    return this.#observers.tap(tap);
  }

  /**
   * Starts delivery. Call it once, after the handlers are registered.
   *
   * @throws {TypeError} when called a second time.
   */
  listen(): void {
    if (this.#listening) throw new TypeError("The connection is listening already");
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
   * @throws {ConnectionError} when the connection ends, or the deadline passes, before the response.
   * @throws {TypeError} when the params can't be sent; nothing is sent then.
   */
  request<Result = unknown>(method: string, params?: unknown, options: RequestOptions<Result> = {}): Promise<Result> {
    return this.#requests.send(method, params, options, this.#ending.reason);
  }

  /**
   * Sends a notification. Returns a promise only while the transport has no room; it resolves once there is room again. Await
   * it to send no faster than the peer reads. After the end of the connection nothing is sent.
   *
   * @throws {TypeError} when the params can't be sent; nothing is sent then.
   */
  notify(method: string, params?: unknown): Promise<void> | undefined {
    assertParams(method, params);
    this.#outbox.send({ jsonrpc: "2.0", method, params });
    const { full } = this.#outbox;
    if (full !== undefined) this.#flow.awaited();
    return full;
  }

  /**
   * Ends the connection: pending requests reject, handlers' signals abort, queued messages are flushed. With `drainTimeoutMs`, running
   * handlers may still respond for that long; new requests of the peer are refused meanwhile. Idempotent, but a later call
   * without `drainTimeoutMs` ends the drain of an earlier one. Resolves when the connection has ended; never rejects.
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
