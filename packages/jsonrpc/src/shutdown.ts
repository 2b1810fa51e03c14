import type { ConnectionErrorCode } from "./connection-error.js";
import { closeTransport, type Ending } from "./ending.js";
import type { FlowControl } from "./flow-control.js";
import type { Observers } from "./observers.js";
import type { OpenRequests } from "./open-requests.js";
import type { ConnectionLimits } from "./options.js";
import type { Outbox } from "./outbox.js";
import type { OutgoingRequests } from "./outgoing-requests.js";
import type { Responses } from "./responses.js";
import type { Transport, TransportReceiver } from "./transport.js";

/** The parts of the connection that a {@link Shutdown} ends. */
export interface ShutdownContext {
  readonly transport: Transport;
  readonly limits: ConnectionLimits;
  readonly onPeerEnded: (() => void) | undefined;
  readonly respondWhileClosing: boolean;
  readonly observers: Observers;
  readonly outbox: Outbox;
  readonly open: OpenRequests;
  readonly responses: Responses;
  readonly flow: FlowControl;
  readonly lanes: { clear(): number };
  readonly requests: OutgoingRequests;
  readonly ending: Ending;
}

/** Ends a connection, in one of three ways: this side closes it, the peer ends its output, or the transport fails. */
export class Shutdown implements Pick<TransportReceiver, "ended" | "failed"> {
  readonly #context: ShutdownContext;

  constructor(context: ShutdownContext) {
    this.#context = context;
  }

  /** When this side closes: aborts the signals of running handlers, which have `drainTimeoutMs` to respond. */
  async close(drainTimeoutMs: number, cause: unknown): Promise<void> {
    const { ending, requests, open, responses, respondWhileClosing } = this.#context;
    if (ending.state !== "closed") {
      const reason = ending.begin("closed", "the connection was closed", cause);
      if (reason !== undefined) requests.end(reason);
      for (const request of open.all()) responses.cancel(request, ending.reason, respondWhileClosing);
      if (drainTimeoutMs > 0) await ending.idle(drainTimeoutMs);
      await this.#finish();
    }
    await ending.closed;
  }

  /** Called when the peer has ended its output. */
  ended(): void {
    this.#end("peer_closed", "the peer closed the connection");
  }

  /** Called when messages of `bytes` bytes wait for handlers although a caller may be awaiting a response. */
  exceeded(bytes: number): void {
    const { maxBacklogBytes } = this.#context.limits;
    const what = `messages of ${bytes} bytes waited for handlers, while a request waited for its response`;
    this.#end("backlog_full", `${what} (maxBacklogBytes is ${maxBacklogBytes}): the handlers are too slow`);
  }

  /** Ends the connection while the peer can still read: messages that have arrived get responses. */
  #end(code: ConnectionErrorCode, message: string): void {
    const { ending, requests, observers, onPeerEnded } = this.#context;
    const reason = ending.begin(code, message, undefined);
    if (reason === undefined) return;
    requests.peerEnded(reason);
    observers.call("onPeerEnded", onPeerEnded);
    void this.#drain();
  }

  /** Called when the transport has failed: nothing can be sent. Messages that have arrived are still handled. */
  failed(error: unknown): void {
    const { ending, requests, outbox, open } = this.#context;
    if (ending.state === "closed") return;
    const message = error instanceof Error ? error.message : "the transport failed";
    const reason = ending.begin("transport_failed", message, error);
    if (reason !== undefined) requests.peerEnded(reason);
    outbox.end();
    open.abandon(ending.reason);
    ending.checkIdle();
    if (reason !== undefined) void this.#drain();
  }

  async #drain(): Promise<void> {
    const { flow, ending, limits } = this.#context;
    flow.stop();
    await ending.idle(limits.drainTimeoutMs);
    await this.#finish();
  }

  async #finish(): Promise<void> {
    const { ending, flow, outbox, open, requests, lanes, observers, transport, limits } = this.#context;
    const { reason } = ending;
    if (reason === undefined || !ending.finish()) return;
    flow.stop();
    outbox.end();
    open.abandon(reason);
    requests.end(reason);
    const dropped = lanes.clear();
    if (dropped > 0) {
      const message = `${dropped} messages were dropped, because the connection ended before they were handled`;
      observers.report({ code: "backlog_dropped", message });
    }
    const cause = await closeTransport(transport, limits.closeTimeoutMs);
    if (cause !== undefined) {
      observers.report({ code: "close_failed", message: "The transport did not close cleanly", cause });
    }
    ending.finished();
  }
}
