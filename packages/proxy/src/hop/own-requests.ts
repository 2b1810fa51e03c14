import { type Message, type RequestId, type ResponseMessage, RpcError } from "@acp-kit/jsonrpc";
import { CANCEL_REQUEST, type Deferred, deferred, onAbort } from "@acp-kit/jsonrpc/internal";

interface OwnRequest extends Deferred<ResponseMessage> {
  readonly onResponse: ((response: ResponseMessage) => void) | undefined;
  isPending: boolean;
}

/** The requests that a proxy itself sends to one side. */
export class OwnRequests {
  readonly #send: (message: Message) => void;
  /** The random part of the ids. The other side's requests to the same receiver have other ids. */
  readonly #prefix = randomPrefix();
  readonly #open = new Map<RequestId, OwnRequest>();
  #count = 0;
  #pending = 0;
  #ended: { readonly error: unknown } | undefined;

  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  /** Whether code of the proxy awaits a response. */
  get areAwaited(): boolean {
    return this.#pending > 0;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /**
   * Sends a request. The promise rejects when the connection ends or `signal` aborts. `onResponse` runs before any
   * later message is received.
   */
  send(
    method: string,
    params: unknown,
    signal: AbortSignal | undefined,
    onResponse?: (response: ResponseMessage) => void,
  ): Promise<ResponseMessage> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended.error);
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#count += 1;
    const id = `${this.#prefix}${this.#count}`;
    const request: OwnRequest = { ...deferred<ResponseMessage>(), onResponse, isPending: true };
    this.#open.set(id, request); // a receiver may respond while the request is sent
    this.#pending += 1;
    try {
      this.#send({ jsonrpc: "2.0", id, method, params });
    } catch (error) {
      this.#open.delete(id);
      this.#settled(request);
      throw error;
    }
    if (signal !== undefined) {
      const onAborted = (): void => {
        if (!this.#settled(request)) return;
        request.reject(signal.reason);
        this.#send({ jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId: id } });
      };
      onAbort(signal, onAborted);
      const stop = (): void => signal.removeEventListener("abort", onAborted);
      request.promise.then(stop, stop);
    }
    return request.promise;
  }

  /** Settles the request that a response belongs to. Returns `false` if it belongs to none. */
  settle(response: ResponseMessage): boolean {
    const request = this.#open.get(response.id);
    if (request === undefined) return false;
    this.#open.delete(response.id);
    request.onResponse?.(response);
    if (this.#settled(request)) request.resolve(response);
    return true;
  }

  end(error: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = { error };
    for (const request of this.#open.values()) if (this.#settled(request)) request.reject(error);
    this.#open.clear();
  }

  #settled(request: OwnRequest): boolean {
    const { isPending } = request;
    if (isPending) this.#pending -= 1;
    request.isPending = false;
    return isPending;
  }
}

/** Converts the response of a peer to its result. */
export function resultOf(response: ResponseMessage): unknown {
  if (!("error" in response)) return response.result;
  const { code, message } = (response.error ?? {}) as { code?: unknown; message?: unknown };
  throw new ReceivedError(Number.isInteger(code) ? (code as number) : -32603, `${message ?? "Error"}`, response);
}

/** The error of a peer, which is sent on unchanged if an interceptor does not catch it. */
export class ReceivedError extends RpcError {
  readonly response: ResponseMessage & { readonly error: unknown };

  constructor(code: number, message: string, response: ResponseMessage) {
    const received = response as ResponseMessage & { readonly error: { readonly data?: unknown } };
    super(code, message, { data: received.error?.data });
    this.response = received;
  }
}

function randomPrefix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}-`;
}
