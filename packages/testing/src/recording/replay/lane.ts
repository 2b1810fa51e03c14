import { endOf, type Step } from "./step.js";

/**
 * Decides which message of a lane the replay sends next, by the order of the dialogue, not by time. When an agent is
 * replayed, each session is a lane; when a client is replayed, all messages are one lane.
 */
export class Lane {
  readonly #steps: readonly Step[];
  /** The index of the first step that has not been sent or received. */
  #first = 0;
  /** Whether the replay is sending steps of this lane. */
  busy = false;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Returns the next step of a replayed agent, or `undefined` while the client has to act first. */
  nextOfAgent(): Step | undefined {
    this.#advance();
    for (let at = this.#first; at < this.#steps.length; at += 1) {
      const step = this.#steps[at];
      if (step === undefined || step.state === "done") continue;
      if (step.ours) {
        if (isAwake(step)) return step;
      } else if (step.state === "waiting" && holdsAgent(step)) {
        return undefined;
      }
    }
    return undefined;
  }

  /**
   * Returns the next step of a replayed client, or `undefined` while the agent has to act first. The client waits for
   * responses, for the end of its prompts and for the recorded number of updates, and it responds to every request.
   */
  nextOfClient(): Step | undefined {
    this.#advance();
    let held = false;
    for (let at = this.#first; at < this.#steps.length; at += 1) {
      const step = this.#steps[at];
      if (step === undefined || step.state === "done") continue;
      if (!step.ours) {
        held ||= step.state === "waiting" && (step.request ?? step.endOf)?.state === "done";
      } else if (step.kind === "response") {
        if (step.request?.state === "done" && !this.#askedMeanwhile(step)) return step;
      } else if (!held) {
        if (hasHeardEnough(step)) return step;
        held = true;
      }
    }
    return undefined;
  }

  /**
   * Stops waiting for recorded messages before `step` that the live peer has not sent. Called when `step` is a response
   * or request, and the live peer has sent it: then the peer usually does not send the earlier messages any more.
   */
  giveUpBefore(step: Step): void {
    for (let at = this.#first; at < this.#steps.length; at += 1) {
      const earlier = this.#steps[at];
      if (earlier === undefined || earlier.index >= step.index) return;
      const gone = !earlier.ours && earlier.state === "waiting" && earlier.kind !== "response";
      if (gone && earlier.session === step.session) earlier.state = "given_up";
    }
  }

  /** Returns the recorded time between a step and the previous step, in milliseconds. */
  gapBefore(step: Step): number {
    const previous = step.before ?? this.#steps[this.#steps.indexOf(step) - 1];
    return previous === undefined ? 0 : Math.max(0, step.t - previous.t);
  }

  /**
   * Whether the recorded agent sent another request of the same session before it received this response, and the live
   * agent has not sent that request yet. The client then does not send the response yet.
   */
  #askedMeanwhile(answer: Step): boolean {
    for (let at = this.#first; at < this.#steps.length; at += 1) {
      const step = this.#steps[at];
      if (step === undefined || step.index >= answer.index) return false;
      if (step.index <= (answer.request?.index ?? 0) || step.ours || step.session !== answer.session) continue;
      if (step.kind === "request" && step.state === "waiting") return true;
    }
    return false;
  }

  #advance(): void {
    while (this.#steps[this.#first]?.state === "done") this.#first += 1;
  }
}

/**
 * Returns whether a step no longer waits for another message. A response waits for its request. Any other message waits
 * for its `cause` or, without one, for the message `before` it.
 */
export function isAwake(step: Step): boolean {
  if (step.kind === "response") return step.request?.state === "done";
  if (step.cause !== undefined) return step.cause.state === "done";
  return step.before === undefined || step.before.state !== "waiting";
}

/**
 * Returns whether the agent waits for this step of the client. The agent waits for responses and notifications, not for
 * requests, which the client may send at any time.
 */
function holdsAgent(step: Step): boolean {
  if (step.kind === "request") return false;
  return isAwake(step);
}

function hasHeardEnough({ during }: Step): boolean {
  if (during === undefined || during.request.state !== "done") return true;
  return during.request.received >= during.received || endOf(during.request)?.state === "done";
}
