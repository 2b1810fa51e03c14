import type { RecordedMessage, Side } from "../format.js";

/** One message of the recorded dialogue, and its dependencies. */
export interface Step {
  /** The index of the message in the recording's `entries`. */
  readonly index: number;
  readonly t: number;
  readonly from: Side;
  /** Whether the replay sends the message. Otherwise the live peer is expected to send it. */
  readonly ours: boolean;
  readonly kind: "request" | "notification" | "response";
  /** The method of the message; for a response, the method of its request, or `""` without a request. */
  readonly method: string;
  readonly message: RecordedMessage;
  readonly leftOut: boolean;
  /** The recorded id of the message's session, or `""`. */
  readonly session: string;
  /** For a response: the step of its request. The request's step has the response as `response`. */
  request?: Step;
  response?: Step;
  /** For a prompt of version 2: the state that ends its work. That state has one of its prompts as `endOf`. */
  end?: Step;
  endOf?: Step;
  /** For a call: the live peer's request that caused it, and that must arrive before it is sent. */
  cause?: Step;
  /** The previous message, after which a message without `request` and `cause` is sent. */
  before?: Step;
  /**
   * Set if a replayed client sends this message while one of its requests is open: that request, and the number of
   * updates that the recorded agent sent between the request and this message.
   */
  during?: { readonly request: Step; readonly received: number };
  /** The state of the step. `given_up`: the live peer has continued without the message, but may still send it. */
  state: "waiting" | "done" | "given_up";
  /** For a request of a replayed client that has not ended: the updates of its session that arrived since. */
  received: number;
}

/** Requests without a response, by their ids. A response belongs to the oldest request with its id. */
export class OpenSteps {
  readonly #open = new Map<unknown, Step[]>();

  add(id: unknown, step: Step): void {
    const same = this.#open.get(id);
    if (same === undefined) this.#open.set(id, [step]);
    else same.push(step);
  }

  take(id: unknown): Step | undefined {
    const same = this.#open.get(id);
    const step = same?.shift();
    if (same?.length === 0) this.#open.delete(id);
    return step;
  }
}

/** Returns the message that ends a request: its response or, for a prompt of version 2, the end of its work. */
export function endOf({ end, response }: Step): Step | undefined {
  return end ?? response;
}
