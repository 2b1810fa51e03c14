import { JsonRpcErrorCode, type RequestId, RpcError } from "@acp-kit/jsonrpc";
import { isThenable } from "@acp-kit/jsonrpc/internal";
import type { IncomingPromptRequest } from "@acp-kit/types";
import type { Clock } from "../clock.js";
import { createIds } from "../ids.js";
import { textOf } from "../text-of.js";
import { PlayedTurn } from "./played-turn.js";
import type { PlayTurn, ScriptedAgent, TurnEnd } from "./script-turn.js";
import { type IncomingMessage, noResponse } from "./scripted-peer.js";

type End = TurnEnd | undefined;

/** The running turns of one connection. Finds the handler of each prompt, and cancels the turns of a session. */
export class Turns {
  readonly #partFor: (text: string) => PlayTurn;
  readonly #clock: Clock;
  readonly #ids = createIds();
  readonly #running = new Set<PlayedTurn>();
  #count = 0;

  constructor(partFor: (text: string) => PlayTurn, clock: Clock) {
    this.#partFor = partFor;
    this.#clock = clock;
  }

  readonly play = (request: IncomingMessage, agent: ScriptedAgent): unknown => {
    const params = request.params as IncomingPromptRequest | null | undefined;
    if (params === undefined || params === null)
      throw new RpcError(JsonRpcErrorCode.invalidParams, "session/prompt has no params");
    this.#count += 1;
    const turn = new PlayedTurn({
      agent,
      clock: this.#clock,
      id: request.id as RequestId,
      ids: this.#ids,
      number: this.#count,
      params,
      signal: request.signal,
    });
    this.#running.add(turn);
    const end = (result: End): unknown => {
      this.#running.delete(turn);
      if (turn.stopped || result === noResponse) return noResponse;
      if (typeof result === "object") return result;
      return { stopReason: result ?? (turn.signal.aborted ? "cancelled" : "end_turn") };
    };
    const result = this.#partFor(textOf(params.prompt))(turn) as End | PromiseLike<End>;
    return isThenable(result) ? Promise.resolve(result).then(end) : end(result);
  };

  readonly cancel = ({ params }: IncomingMessage): void => {
    const { sessionId } = (params ?? {}) as { readonly sessionId?: string };
    for (const turn of this.#running) if (turn.sessionId === sessionId) turn.cancel();
  };
}
