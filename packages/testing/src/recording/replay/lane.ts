import type { Step } from "./step.js";

/**
 * Messages with a mutual order: those of one session, when an agent is replayed, and all of them, when a client is. Decides
 * which message to send next, by the order of the dialogue, not by time.
 */
export class Lane {
  readonly #steps: readonly Step[];
  /** Everything before it has been sent or received. */
  #first = 0;
  /** A step is in progress. */
  busy = false;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Returns the next step, as an agent; `undefined` while the client has to act first. */
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

  /** Returns the next step, as a client: it waits for responses, and a short time for notifications; it responds to every request. */
  nextOfClient(): Step | undefined {
    this.#advance();
    let held = false;
    for (let at = this.#first; at < this.#steps.length; at += 1) {
      const step = this.#steps[at];
      if (step === undefined || step.state === "done") continue;
      if (!step.ours) {
        held ||= step.state === "waiting" && step.kind === "response" && step.request?.state === "done";
      } else if (step.kind === "response") {
        if (step.request?.state === "done" && !this.#askedMeanwhile(step)) return step;
      } else if (!held) {
        if (hasHeardEnough(step)) return step;
        held = true;
      }
    }
    return undefined;
  }

  /** Called when the live peer has responded or sent a request: recorded messages before that will not come any more. */
  giveUpBefore(step: Step): void {
    for (let at = this.#first; at < this.#steps.length; at += 1) {
      const earlier = this.#steps[at];
      if (earlier === undefined || earlier.index >= step.index) return;
      const gone = !earlier.ours && earlier.state === "waiting" && earlier.kind !== "response";
      if (gone && earlier.session === step.session) earlier.state = "given_up";
    }
  }

  /** The time between a step and the one before it. */
  gapBefore(step: Step): number {
    const previous = step.before ?? this.#steps[this.#steps.indexOf(step) - 1];
    return previous === undefined ? 0 : Math.max(0, step.t - previous.t);
  }

  /** The agent should have sent another request before this response, which depended on the client's result. */
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

/** Its cause has happened. */
export function isAwake(step: Step): boolean {
  if (step.kind === "response") return step.request?.state === "done";
  if (step.cause !== undefined) return step.cause.state === "done";
  return step.before === undefined || step.before.state !== "waiting";
}

/** The client has to respond, or to send this, before the agent continues. Its requests come at any time. */
function holdsAgent(step: Step): boolean {
  if (step.kind === "request") return false;
  return isAwake(step);
}

function hasHeardEnough({ during }: Step): boolean {
  if (during === undefined || during.request.state !== "done") return true;
  return during.request.received >= during.received || during.request.response?.state === "done";
}
