import type { RequestId } from "@acp-kit/jsonrpc";
import type { JsonObject } from "@acp-kit/jsonrpc/internal";
import { metaMember, resumeMeta } from "../../wire/resume-meta.js";

interface ReceivedRequest {
  /** The id that the application sees. */
  readonly id: number;
  /** The server's name of the request in its session. One without a name ends with its connection. */
  readonly name: string | undefined;
  readonly sessionId: string | undefined;
  /** The id of the request on the current connection. */
  wireId: RequestId | undefined;
  response: JsonObject | undefined;
}

/**
 * What to do with a request that has arrived:
 *
 * - `show`: the request is new. Deliver it to the application, with this id.
 * - `respond`: the application has responded to the request on an earlier connection. Send that response again.
 * - `known`: the application has received the request on an earlier connection. Wait for its response.
 */
export type ArrivedRequest =
  | { readonly is: "show"; readonly id: number }
  | { readonly is: "respond"; readonly response: JsonObject }
  | { readonly is: "known" };

/** The maximum number of stored responses. The server repeats a request whose response was lost. */
const MAX_RESPONSES = 64;

/**
 * The open requests of the agent, across connections. On each connection the agent repeats open requests with new ids.
 * The application receives each request once, with one id.
 */
export class AgentRequestTable {
  /** The open requests, and the last ones that got a response. The one with the last response comes last. */
  readonly #requests = new Map<number, ReceivedRequest>();
  #count = 0;

  /** Records a request that has arrived on the current connection. */
  arrived(wireId: RequestId, sessionId: string | undefined, params: unknown): ArrivedRequest {
    const given = metaMember(params, resumeMeta.request);
    const name = typeof given === "string" ? given : undefined;
    const known = this.#where((other) => name !== undefined && other.name === name && other.sessionId === sessionId)[0];
    if (known === undefined) {
      const id = this.#count++;
      this.#requests.set(id, { id, name, sessionId, wireId, response: undefined });
      return { is: "show", id };
    }
    known.wireId = wireId;
    const { response } = known;
    return response === undefined ? { is: "known" } : { is: "respond", response: { ...response, id: wireId } };
  }

  /** Records a response of the application. Returns the message to send, if the current connection waits for it. */
  respond(response: JsonObject): JsonObject | undefined {
    const request = this.#requests.get(response.id as number);
    if (request === undefined || request.response !== undefined) return undefined;
    request.response = response;
    this.#requests.delete(request.id);
    this.#requests.set(request.id, request);
    const responded = this.#where((other) => other.response !== undefined);
    for (const { id } of responded.slice(0, -MAX_RESPONSES)) this.#requests.delete(id);
    return request.wireId === undefined ? undefined : { ...response, id: request.wireId };
  }

  /** Returns the application's id of a request that the agent cancels. */
  cancelled(wireId: RequestId): number | undefined {
    return this.#where((request) => request.wireId === wireId)[0]?.id;
  }

  /** Records the end of the connection. Returns the application's ids of the requests that ended with it. */
  lost(): number[] {
    for (const request of this.#requests.values()) request.wireId = undefined;
    return this.#remove((request) => request.name === undefined);
  }

  /**
   * Removes the requests of a session that are no longer open. Returns their ids.
   *
   * @param open the names of the open requests.
   */
  settle(sessionId: string, open: readonly unknown[]): number[] {
    return this.#remove(
      (request) => request.sessionId === sessionId && request.name !== undefined && !open.includes(request.name),
    );
  }

  #remove(isOver: (request: ReceivedRequest) => boolean): number[] {
    const over = this.#where(isOver);
    for (const { id } of over) this.#requests.delete(id);
    return over.filter(({ response }) => response === undefined).map(({ id }) => id);
  }

  #where(accepts: (request: ReceivedRequest) => boolean): ReceivedRequest[] {
    return [...this.#requests.values()].filter(accepts);
  }
}
