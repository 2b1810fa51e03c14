import type { Dispatch } from "./dispatch.js";
import type { Ending } from "./ending.js";
import { classify, type InvalidEnvelope } from "./envelope.js";
import { JsonRpcErrorCode } from "./error-code.js";
import { excerptHead } from "./excerpt-head.js";
import { IncomingRequest } from "./incoming-request.js";
import type { Lanes } from "./lanes.js";
import { CANCEL_REQUEST, type NotificationMessage, type RequestMessage } from "./message.js";
import type { Observers } from "./observers.js";
import type { OpenRequests } from "./open-requests.js";
import type { ConnectionOptions } from "./options.js";
import type { LaneOf } from "./order-by.js";
import type { OutgoingRequests, QueuedResponse } from "./outgoing-requests.js";
import { quote } from "./quote.js";
import type { Responses } from "./responses.js";
import { RpcError, requestCancelled } from "./rpc-error.js";
import type { MalformedInput, TransportReceiver } from "./transport.js";

/** The parts of the connection that an {@link Inbox} uses. */
export interface InboxContext {
  readonly observers: Observers;
  readonly lanes: Lanes<NotificationMessage, IncomingRequest | QueuedResponse>;
  readonly dispatch: Dispatch;
  readonly open: OpenRequests;
  readonly responses: Responses;
  readonly requests: OutgoingRequests;
  readonly ending: Ending;
  readonly laneOf: LaneOf;
  readonly onQueued: ConnectionOptions["onQueued"];
  readonly maxOpenRequests: number;
  readonly respondToMalformed: boolean;
  readonly respondWhileClosing: boolean;
}

/** Receives a connection's input: passes calls to their lanes, and responses to their requests. */
export class Inbox implements Pick<TransportReceiver, "message" | "malformed"> {
  readonly #context: InboxContext;
  /** See {@link Connection.requireIds}. */
  requiresIds = false;

  constructor(context: InboxContext) {
    this.#context = context;
  }

  message(value: unknown, size: number): void {
    const { ending, observers, requests } = this.#context;
    if (ending.state === "closed") return;
    if (observers.tapped) observers.see("received", value, size);
    const kind = classify(value, this.requiresIds);
    if (kind === "notification") this.#notification(value as NotificationMessage, size);
    else if (kind === "response") requests.receive(value as Record<string, unknown>, size);
    else if (kind === "request") this.#request(value as RequestMessage, size);
    else this.#invalid(kind);
  }

  malformed(input: MalformedInput): void {
    const { ending, observers, responses, requests, respondToMalformed } = this.#context;
    if (ending.state === "closed") return;
    if (observers.tapped) observers.see("received", input.excerpt, input.size, true);
    observers.report({ code: "malformed_input", message: describe(input), data: input });
    const head = input.kind === "too_large" || input.kind === "unserializable" ? excerptHead(input.excerpt) : undefined;
    if (head?.kind === "response") {
      requests.invalid(head.id, input.message); // rejects the request with this id, which would never settle otherwise
      return;
    }
    if (!respondToMalformed && head === undefined) return;
    const error =
      input.kind === "not_json"
        ? new RpcError(JsonRpcErrorCode.parseError, "Parse error")
        : new RpcError(JsonRpcErrorCode.invalidRequest, input.message);
    responses.reject(head?.id ?? null, error);
  }

  #notification(message: NotificationMessage, size: number): void {
    const { method, params } = message;
    if (method === CANCEL_REQUEST) {
      this.#cancel(params);
      return;
    }
    const { lanes, laneOf, dispatch, observers, onQueued } = this.#context;
    const key = laneOf(method, params);
    if (key !== undefined) {
      if (onQueued && lanes.isHeld(key)) observers.call("onQueued", () => onQueued(method, params));
      lanes.deliver(key, message, size);
    } else {
      dispatch.notify(message, size)?.catch((cause: unknown) => dispatch.failed(message, cause));
    }
  }

  #request({ id, method, params }: RequestMessage, size: number): void {
    const { observers, open, responses, ending, lanes, dispatch, laneOf, maxOpenRequests, respondWhileClosing } =
      this.#context;
    if (open.size >= maxOpenRequests) {
      const message = `More than ${maxOpenRequests} requests are open`;
      observers.report({ code: "too_many_requests", message: `${message}: ${method} was refused`, method, id });
      responses.reject(id, new RpcError(JsonRpcErrorCode.internalError, message));
      return;
    }
    if (ending.reason?.code === "closed") {
      if (respondWhileClosing) responses.reject(id, requestCancelled("The connection is being closed"));
      return;
    }
    const request = new IncomingRequest(id, method, params);
    open.add(request); // from now on, the request can be cancelled, even before its handler starts
    const key = laneOf(method, params);
    if (key !== undefined) lanes.pass(key, request, size);
    else dispatch.handle(request);
  }

  #cancel(params: unknown): void {
    const { open, responses } = this.#context;
    const id = (params as { requestId?: unknown } | null | undefined)?.requestId;
    for (const request of open.takeCancelled(id)) responses.cancel(request, requestCancelled());
  }

  #invalid({ id, reason, likely, namesProtocol }: InvalidEnvelope): void {
    const { observers, requests, responses, respondToMalformed } = this.#context;
    const message = `The peer sent JSON that is not a JSON-RPC message: ${reason}`;
    observers.report({ code: "invalid_message", message, id });
    if (!respondToMalformed && !namesProtocol) return; // probably a log line, whose writer expects no response
    if (likely === "notification" || (likely === "response" && requests.invalid(id, reason))) return;
    if (!respondToMalformed && (likely !== "request" || (id === null && !this.requiresIds))) return;
    responses.reject(id, new RpcError(JsonRpcErrorCode.invalidRequest, `Invalid request: ${reason}`));
  }
}

/** The number of characters of a skipped input that a diagnostic shows. */
const SHOWN_CHARACTERS = 80;

/** Returns the sentence about malformed input, with the beginning of input that is not JSON, such as a banner. */
function describe({ kind, message, excerpt }: MalformedInput): string {
  return kind === "not_json" ? `${message} The input begins with ${quote(excerpt, SHOWN_CHARACTERS)}.` : message;
}
