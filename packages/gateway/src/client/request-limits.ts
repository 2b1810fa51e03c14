import { JsonRpcErrorCode, type RequestId, RpcError } from "@acp-kit/jsonrpc";
import { type Budget, Holding, memoryOf } from "@acp-kit/jsonrpc/internal";
import { gatewayErrorReason, limitReached } from "../gateway-error.js";

/** The maximum length of the id of a request, which becomes a part of the key of a prompt. */
const MAX_REQUEST_ID_CHARS = 1_024;

/** When a client may send a request again for which there was no memory, in milliseconds. */
const RETRY_MS = 1_000;

/** The limits of one connection's requests and attachments. */
export class RequestLimits {
  readonly #maxRequests: number;
  readonly #memory: Budget;
  readonly #onReached: (limit: string) => void;
  #open = 0;

  /**
   * @param maxRequests the maximum number of requests without a response.
   * @param memory the budget for these requests and for attachments.
   * @param onReached called with the name of a limit that a request has reached.
   */
  constructor(maxRequests: number, memory: Budget, onReached: (limit: string) => void) {
    this.#maxRequests = maxRequests;
    this.#memory = memory;
    this.#onReached = onReached;
  }

  /** Counts memory. @throws {RpcError} `limit` if there is none. */
  hold(bytes: number): Holding {
    const holding = new Holding(this.#memory);
    if (holding.set(bytes)) return holding;
    const message = "The requests and sessions of this caller need too much memory: send the request again later";
    throw limitReached("maxQueuedBytes", message, RETRY_MS);
  }

  /**
   * Handles a request, or rejects it if too many are pending, or if they need too much memory. Returns the promise of
   * the handler itself, so it is not an async function: the promise of an async function settles later, and the
   * attachment would send further messages before the connection has sent the response.
   */
  handle(id: RequestId, params: unknown, handler: () => unknown): unknown {
    const holding = this.#admit(id, params);
    this.#open += 1;
    let settled: unknown;
    try {
      settled = handler();
    } catch (error) {
      this.#settled(holding, error);
      throw error;
    }
    Promise.resolve(settled).then(
      () => this.#settled(holding),
      (error: unknown) => this.#settled(holding, error),
    );
    return settled;
  }

  #admit(id: RequestId, params: unknown): Holding {
    if (typeof id === "string" && id.length > MAX_REQUEST_ID_CHARS) {
      const message = `The id of a request may have at most ${MAX_REQUEST_ID_CHARS} characters`;
      throw new RpcError(JsonRpcErrorCode.invalidRequest, message);
    }
    try {
      if (this.#open >= this.#maxRequests)
        throw limitReached("maxClientRequests", `At most ${this.#maxRequests} requests may be open at once`);
      return this.hold(memoryOf(params));
    } catch (error) {
      this.#report(error);
      throw error;
    }
  }

  #settled(holding: Holding, error?: unknown): void {
    this.#open -= 1;
    holding.release();
    this.#report(error);
  }

  #report(error: unknown): void {
    if (gatewayErrorReason(error) !== "limit") return;
    this.#onReached(String((error as { readonly data: { readonly limit?: unknown } }).data.limit));
  }
}
