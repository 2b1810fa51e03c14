import {
  type Diagnostic,
  isRpcError,
  JsonRpcErrorCode,
  type Message,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
  RpcError,
} from "@acp-kit/jsonrpc";
import { CANCEL_REQUEST, type ErrorObject } from "@acp-kit/jsonrpc/internal";
import type { DecoderTable } from "@acp-kit/types/decode";
import { formatIssue } from "@acp-kit/types/decode";

/** How the response to a request is converted for its sender. */
export interface Settle {
  /** Converts the decoded result. */
  result?(result: unknown): unknown;
  /** Returns the result that takes the place of an error, or `undefined` to send the error on. */
  error?(error: ErrorObject): unknown;
  /** Runs after the result was sent. */
  after?(): void;
}

/** A request on its way from its sender to the receiver. */
export interface Relayed {
  readonly id: RequestId;
  readonly method: string;
  /** Sends the request to the receiver, under another name and with other params. */
  pass(method: string, params: unknown, settle?: Settle): void;
  respond(result: unknown): void;
  reject(error: ErrorObject | RpcError): void;
}

/** What a {@link OneWay} does with the methods that differ. It passes all other messages unchanged. */
export interface Rules {
  /** The decoders of what the receiver gets from the sender, in the sender's version. */
  readonly params: DecoderTable["params"];
  /** The decoders of the receiver's results, in the receiver's version. */
  readonly results: DecoderTable["results"];
  readonly requests: Readonly<Record<string, (params: never, request: Relayed) => void>>;
  readonly notifications: Readonly<Record<string, (params: never, size: number) => void>>;
}

interface Ends {
  toSender(message: Message): void;
  toReceiver(message: Message): void;
  report(diagnostic: Diagnostic): void;
}

/**
 * One direction of a conversion: the requests and notifications of one peer, and the other peer's responses to them.
 *
 * Requests keep their ids. An id that the receiver can't get, because it is `null` or is that of an open request, is
 * replaced: in version 2 the id `null` is forbidden.
 */
export class OneWay {
  readonly #rules: Rules;
  readonly #ends: Ends;
  /** The ids of the requests that the sender has no response to, as the sender knows them. */
  readonly #unanswered = new Set<RequestId>();
  /** The open requests, by the ids that the receiver knows. */
  readonly #open = new Map<RequestId, (response: ResponseMessage) => void>();
  /** The ids of open requests that the sender and the receiver know under different ids. */
  readonly #replaced = new Map<RequestId, RequestId>();
  #ownRequests = 0;

  constructor(rules: Rules, ends: Ends) {
    this.#rules = rules;
    this.#ends = ends;
  }

  /** Receives a request or notification of the sender. */
  message(message: Message, size: number): void {
    if (!("method" in message)) return;
    const { method } = message;
    const relayed = "id" in message ? this.#relayed(message) : undefined;
    try {
      const handle = relayed === undefined ? own(this.#rules.notifications, method) : own(this.#rules.requests, method);
      if (handle === undefined && relayed === undefined) {
        this.#notify(message);
        return;
      }
      const params = this.#decoded(method, message.params);
      if (handle === undefined) relayed?.pass(method, params);
      else if (relayed === undefined) (handle as Rules["notifications"][string])(params as never, size);
      else (handle as Rules["requests"][string])(params as never, relayed);
    } catch (error) {
      if (relayed === undefined) this.#ends.report(failure(method, error));
      else relayed.reject(asRpcError(error));
    }
  }

  /**
   * Receives a response of the receiver. One to no open request is passed if it can't be for the bridge, because the
   * sender may have sent the request before the versions were known.
   */
  response(response: ResponseMessage): void {
    const { id } = response;
    const settle = this.#open.get(id);
    if (settle !== undefined) {
      this.#open.delete(id);
      settle(response);
    } else if (!this.#unanswered.has(id) && !isOwnId(id)) this.#ends.toSender(response);
    else {
      // For example the second response to a prompt, to which the bridge responds later
      const message = "A response has an id that belongs to no request, and was dropped";
      this.#ends.report({ code: "unknown_response", message, id });
    }
  }

  /** Sends a request of the bridge itself to the receiver. */
  request(method: string, params: unknown, onResponse: (response: ResponseMessage) => void): RequestId {
    const id = this.#ownId();
    this.#open.set(id, onResponse);
    this.#ends.toReceiver({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  #relayed({ id, method }: RequestMessage): Relayed {
    this.#unanswered.add(id);
    const reply = (body: { result: unknown } | { error: ErrorObject }): void => {
      this.#unanswered.delete(id);
      this.#ends.toSender({ jsonrpc: "2.0", id, ...body });
    };
    const relayed: Relayed = {
      id,
      method,
      respond: (result) => reply({ result }),
      reject: (error) => reply({ error: asErrorObject(error) }),
      pass: (receivedMethod, params, settle = {}) => {
        const receivedId = id === null || this.#open.has(id) ? this.#ownId() : id;
        this.#ends.toReceiver({ jsonrpc: "2.0", id: receivedId, method: receivedMethod, params });
        if (receivedId !== id) this.#replaced.set(id, receivedId);
        this.#open.set(receivedId, (response) => {
          if (receivedId !== id) this.#replaced.delete(id);
          this.#settle(relayed, receivedMethod, response, settle);
        });
      },
    };
    return relayed;
  }

  #settle(relayed: Relayed, method: string, response: ResponseMessage, settle: Settle): void {
    try {
      if ("error" in response) {
        const result = settle.error?.(response.error);
        if (result === undefined) relayed.reject(response.error);
        else relayed.respond(result);
      } else {
        const decode = own(this.#rules.results, method);
        const decoded =
          decode === undefined ? { ok: true as const, value: response.result } : decode.try(response.result);
        if (!decoded.ok)
          throw new RpcError(
            JsonRpcErrorCode.internalError,
            `The result of ${method} is not valid: ${decoded.issues.map(formatIssue)[0]}`,
          );
        relayed.respond(settle.result === undefined ? decoded.value : settle.result(decoded.value));
        settle.after?.();
      }
    } catch (error) {
      relayed.reject(asRpcError(error));
    }
  }

  #notify(message: Message): void {
    if (!("method" in message)) return;
    if (message.method !== CANCEL_REQUEST) {
      this.#ends.toReceiver(message);
      return;
    }
    const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
    this.cancel(requestId as RequestId);
  }

  /** Cancels an open request of the sender. */
  cancel(requestId: RequestId): void {
    const receivedId = this.#replaced.get(requestId) ?? requestId;
    if (this.#open.has(receivedId))
      this.#ends.toReceiver({ jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId: receivedId } });
  }

  #decoded(method: string, params: unknown): unknown {
    const decode = own(this.#rules.params, method);
    if (decode === undefined) return params;
    const decoded = decode.try(params);
    if (decoded.ok) return decoded.value;
    const issues = decoded.issues.map(formatIssue);
    throw new RpcError(JsonRpcErrorCode.invalidParams, `The params of ${method} are not valid: ${issues[0]}`, {
      data: { issues },
    });
  }

  #ownId(): RequestId {
    this.#ownRequests += 1;
    return OWN_ID + this.#ownRequests;
  }
}

/** The beginning of the ids of requests that have another id than their sender knows, or none. */
const OWN_ID = "acp-kit/bridge/";

function isOwnId(id: RequestId): boolean {
  return typeof id === "string" && id.startsWith(OWN_ID);
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function asRpcError(error: unknown): RpcError {
  return isRpcError(error)
    ? error
    : new RpcError(JsonRpcErrorCode.internalError, "The message could not be converted", { cause: error });
}

function asErrorObject({ code, message, data }: ErrorObject | RpcError): ErrorObject {
  return { code, message, ...(data !== undefined && { data }) };
}

function failure(method: string, error: unknown): Diagnostic {
  const isInvalid = isRpcError(error) && error.code === JsonRpcErrorCode.invalidParams;
  const code = isInvalid ? "invalid_params" : "handler_failed";
  return { code, message: `A notification could not be converted, and was dropped: ${method}`, method, cause: error };
}
