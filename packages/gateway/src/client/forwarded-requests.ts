import { type Connection, isRpcError, methodNotFound } from "@acp-kit/jsonrpc";
import type { Position } from "../engine/journal-page.js";
import { errorObjectOf } from "../gateway-error.js";
import type { OpenedRequest, Outcome } from "../journal/journal-entry.js";
import type { ConvertedRequest } from "../version.js";
import { metaKeys, metaObjectOf, withCursor } from "./meta.js";

/**
 * A client's response. It stays until the owner has acknowledged it and the client has received the entry that settles
 * the request.
 */
interface PendingResponse {
  readonly outcome: Outcome;
  /** Whether the response is on its way to the owner, or has arrived there. */
  isSent: boolean;
}

/** Options of {@link ForwardedRequests}. */
export interface ForwardedRequestsOptions {
  readonly connection: Connection;
  /** Whether requests to the client contain cursors. */
  readonly sendsCursors: boolean;
  /** Returns a request in the version of the client; `undefined` if the client can't receive it. */
  readonly convert: (request: OpenedRequest) => ConvertedRequest | undefined;
  /**
   * Sends a response to the owner of the session. Resolves when the owner has acknowledged the response and the client
   * has received the entry that settles the request. Until then, a request of the client to open the session may still
   * find the agent's request open.
   */
  readonly respond: (request: string, outcome: Outcome) => Promise<void>;
}

/** The requests of a session's agent that one client has received, and its responses. */
export class ForwardedRequests {
  readonly #options: ForwardedRequestsOptions;
  /** The requests that the client has not responded to. Each controller cancels its request at the client. */
  readonly #requests = new Map<string, AbortController>();
  readonly #responses = new Map<string, PendingResponse>();

  constructor(options: ForwardedRequestsOptions) {
    this.#options = options;
  }

  /** The number of requests that the client has not responded to. */
  get size(): number {
    return this.#requests.size;
  }

  /** Sends a request of the agent to the client, and the client's response to the owner. */
  forward(request: OpenedRequest, position?: Position): void {
    const { id } = request;
    if (this.#requests.has(id) || this.#responses.has(id)) return;
    const { connection, sendsCursors, convert } = this.#options;
    const abort = new AbortController();
    this.#requests.set(id, abort);
    const respond = (outcome: Outcome): void => {
      if (abort.signal.aborted || !this.#requests.delete(id)) return;
      const response = { outcome, isSent: false };
      this.#responses.set(id, response);
      void this.#respond(id, response);
    };
    let converted: ConvertedRequest | undefined;
    try {
      converted = convert(request);
    } catch (error) {
      respond({ error: errorObjectOf(error) }); // the request is not valid
      return;
    }
    if (converted === undefined) {
      respond({ error: methodNotFound(request.method).toJSON() }); // another client may receive it
      return;
    }
    const { method, params, result: resultOf } = converted;
    const named = sendsCursors ? { ...params, _meta: { ...metaObjectOf(params), [metaKeys.request]: id } } : params;
    const sent = position !== undefined && sendsCursors ? withCursor(named, position) : named;
    connection
      .request(method, sent, { signal: abort.signal })
      .then((result) => resultOf(result))
      .then(
        (result) => respond({ result }),
        (error: unknown) => {
          // After an invalid response, the connection is still open and no other response will arrive. After the
          // connection has ended, the client may receive the request again on another connection.
          if (isRpcError(error) || connection.state === "open") respond({ error: errorObjectOf(error) });
        },
      );
  }

  /** A request is settled: cancels it at the client, if the client has not responded. */
  settled(id: string): void {
    this.#responses.delete(id);
    this.#withdraw(id);
  }

  /** Cancels the requests at the client that are not open any more. */
  withdrawAllBut(open: ReadonlySet<string>): void {
    for (const id of this.#requests.keys()) if (!open.has(id)) this.#withdraw(id);
  }

  /** Sends the responses again that the owner has not acknowledged, because no other client may respond. */
  sendAgain(): void {
    for (const [id, response] of this.#responses) void this.#respond(id, response);
  }

  #withdraw(id: string): void {
    this.#requests.get(id)?.abort();
    this.#requests.delete(id);
  }

  async #respond(id: string, response: PendingResponse): Promise<void> {
    if (response.isSent) return;
    response.isSent = true;
    try {
      await this.#options.respond(id, response.outcome);
      this.#responses.delete(id);
    } catch {
      response.isSent = false;
    }
  }
}
