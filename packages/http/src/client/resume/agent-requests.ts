import type { RequestId } from "@acp-kit/jsonrpc";
import type { JsonObject } from "@acp-kit/jsonrpc/internal";
import { metaMember, resumeMeta } from "../../wire/resume-meta.js";

interface ReceivedRequest {
  /** The id that the application sees. */
  readonly id: number;
  /** The server's name of the request, the same on every connection. One without it ends with its connection. */
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
  readonly #requests = new Map<number, ReceivedRequest>();
  readonly #byWireId = new Map<RequestId, ReceivedRequest>();
  readonly #byName = new Map<string, ReceivedRequest>();
  readonly #responded: ReceivedRequest[] = [];
  #count = 0;

  /** Records a request that has arrived on the current connection. */
  arrived(wireId: RequestId, sessionId: string | undefined, params: unknown): ArrivedRequest {
    const given = metaMember(params, resumeMeta.request);
    const name = typeof given === "string" ? nameOf(sessionId, given) : undefined;
    const known = name === undefined ? undefined : this.#byName.get(name);
    if (known !== undefined) {
      known.wireId = wireId;
      this.#byWireId.set(wireId, known);
      return known.response === undefined
        ? { is: "known" }
        : { is: "respond", response: { ...known.response, id: wireId } };
    }
    const request: ReceivedRequest = { id: this.#count++, name, sessionId, wireId, response: undefined };
    this.#requests.set(request.id, request);
    this.#byWireId.set(wireId, request);
    if (name !== undefined) this.#byName.set(name, request);
    return { is: "show", id: request.id };
  }

  /** Records a response of the application. Returns the message to send, if the current connection waits for it. */
  respond(response: JsonObject): JsonObject | undefined {
    const request = this.#requests.get(response.id as number);
    if (request === undefined || request.response !== undefined) return undefined;
    request.response = response;
    this.#responded.push(request);
    if (this.#responded.length > MAX_RESPONSES) this.#forget(this.#responded.shift() as ReceivedRequest);
    return request.wireId === undefined ? undefined : { ...response, id: request.wireId };
  }

  /** Returns the application's id of a request that the agent cancels. */
  cancelled(wireId: RequestId): number | undefined {
    return this.#byWireId.get(wireId)?.id;
  }

  /** Records the end of the connection. Returns the application's ids of the requests that ended with it. */
  lost(): number[] {
    this.#byWireId.clear();
    const unnamed: number[] = [];
    for (const request of [...this.#requests.values()]) {
      request.wireId = undefined;
      if (request.name !== undefined) continue;
      if (request.response === undefined) unnamed.push(request.id);
      this.#forget(request);
    }
    return unnamed;
  }

  /**
   * Removes the requests of a session that are no longer open. Returns their ids.
   *
   * @param open the names of the open requests.
   */
  settle(sessionId: string, open: readonly unknown[]): number[] {
    const names = new Set(open.map((name) => nameOf(sessionId, String(name))));
    const settled: number[] = [];
    for (const request of [...this.#requests.values()]) {
      if (request.sessionId !== sessionId || request.name === undefined || names.has(request.name)) continue;
      if (request.response === undefined) settled.push(request.id);
      this.#forget(request);
    }
    return settled;
  }

  #forget(request: ReceivedRequest): void {
    this.#requests.delete(request.id);
    if (request.wireId !== undefined) this.#byWireId.delete(request.wireId);
    if (request.name !== undefined) this.#byName.delete(request.name);
  }
}

function nameOf(sessionId: string | undefined, name: string): string {
  return JSON.stringify([sessionId ?? null, name]);
}
