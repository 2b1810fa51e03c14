import type { Step } from "./step.js";

/**
 * Messages whose order among each other counts: those of one session, when an agent is replayed, and all of them, when a client is.
 * Knows what is next to be said. That is a question of what came before it in the dialogue, not of time.
 */
export class Lane {
  readonly #steps: readonly Step[];
  /** Everything before it has been said or heard. */
  #first = 0;
  /** Somebody is at it. */
  busy = false;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** The next thing to say, as an agent; `undefined` while the client has to do something first. */
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

  /** The next thing to say, as a client: it waits for answers, and a little for what it was told; it answers whenever it is asked. */
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

  /** The live peer answered or asked something: what it was to say before that, it will not say any more. */
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

  /** The agent was to ask for something else before this answer: the client's answer hung on it. */
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

/** What it came of has happened. */
export function isAwake(step: Step): boolean {
  if (step.kind === "response") return step.request?.state === "done";
  if (step.cause !== undefined) return step.cause.state === "done";
  return step.before === undefined || step.before.state !== "waiting";
}

/** The client has to answer, or to say this, before the agent goes on. Its requests come when they come. */
function holdsAgent(step: Step): boolean {
  if (step.kind === "request") return false;
  return isAwake(step);
}

function hasHeardEnough({ during }: Step): boolean {
  if (during === undefined || during.request.state !== "done") return true;
  return during.request.heard >= during.heard || during.request.response?.state === "done";
}
