import { type NotificationMessage, type RequestId, requestCancelled } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import type { HopErrors } from "../hop-error.js";
import { sessionIn } from "./message-parts.js";
import type { OpenRequest } from "./open-request.js";
import type { Opening } from "./opening.js";
import type { OwnRequests } from "./own-requests.js";
import type { Side } from "./side.js";
import type { Way } from "./way.js";

/** Responds to a request in the place of its receiver. */
type Answer = (way: Way, request: OpenRequest, body: ResponseBody) => void;

type ResponseBody = { readonly result: unknown } | { readonly error: ErrorObject };

/** Cancels requests and turns on one hop. */
export class Cancellation {
  readonly #ways: Record<Side, Way>;
  readonly #own: Record<Side, OwnRequests>;
  readonly #opening: Opening;
  readonly #errors: HopErrors;
  readonly #answer: Answer;

  constructor(
    ways: Record<Side, Way>,
    own: Record<Side, OwnRequests>,
    opening: Opening,
    errors: HopErrors,
    answer: Answer,
  ) {
    this.#ways = ways;
    this.#own = own;
    this.#opening = opening;
    this.#errors = errors;
    this.#answer = answer;
  }

  /**
   * Handles the notification with which a side cancels one of its requests. Returns `true` if the receiver of the
   * request gets the notification, too.
   */
  request(way: Way, message: NotificationMessage): boolean {
    const id = (isJsonObject(message.params) ? message.params.requestId : undefined) as RequestId;
    if (this.#own[way.to].has(id)) return false; // a side can't cancel requests of the proxy
    const request = way.open.get(id);
    if (request === undefined || (request.state === "forwarded" && request.call === undefined)) return true;
    if (request.isCancelled) return false;
    request.isCancelled = true;
    const { state, call } = request;
    if (state === "queued") this.#answer(way, request, { error: this.error() });
    else if (state !== "answered") call?.abort(requestCancelled());
    return state === "forwarded";
  }

  /** Returns the error of a cancelled request whose receiver never responds. */
  error(): ErrorObject {
    return this.#errors.object(-32800, "Request cancelled", "refused");
  }

  /** Returns the response to a prompt whose turn was cancelled before the agent got it. */
  prompt(): ResponseBody {
    return this.#opening.rules.protocol.cancelledPrompt ?? { error: this.error() };
  }

  /**
   * Ends the held prompts and permission requests of a session whose turn the client cancels. Returns `true` if the
   * agent has none of the prompts, so that it must not get the cancellation. In version 2 the agent always gets it,
   * because work may run although the prompt has its response.
   */
  turn(message: NotificationMessage): boolean {
    const session = sessionIn(message.params);
    const reason = new DOMException("The turn was cancelled", "AbortError");
    const requestsOf = (side: Side, method: string): OpenRequest[] =>
      [...this.#ways[side].open.values()].filter((each) => each.method === method && each.session === session);
    let held = 0;
    let running = 0;
    for (const request of requestsOf("client", "session/prompt")) {
      if (request.state === "answered") continue;
      request.isTurnCancelled = true;
      if (isHeld(request)) {
        held += 1;
        this.#answer(this.#ways.client, request, this.prompt());
      } else running += 1;
      request.call?.abort(reason);
    }
    for (const request of requestsOf("agent", "session/request_permission").filter(isHeld)) {
      this.#answer(this.#ways.agent, request, { result: { outcome: { outcome: "cancelled" } } });
      request.call?.abort(reason);
    }
    return held > 0 && running === 0 && this.#opening.rules.protocol.version === 1;
  }
}

/** Returns whether the receiver has not got a request. */
function isHeld({ state }: OpenRequest): boolean {
  return state === "queued" || state === "intercepted";
}
