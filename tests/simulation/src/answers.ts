import type { Fault, Record as Log } from "./record.js";

/** A request of an agent that a client shows to its user. */
export interface Dialog {
  readonly client: string;
  /** The name that the agent gave to the request. */
  readonly request: string;
  /** The client's connection; each connection receives a request at most once. */
  readonly connection: object;
  readonly openedAt: number;
  /** The time at which the user answered, the agent cancelled the request or the connection ended. */
  closedAt?: number;
  answer?: string;
}

/** The answer of the gateway's policy to a request that no client can answer. No user chooses it. */
export const policyAnswer = "no";

/**
 * How long a client shows a request before it is certain that the owner of the session knows the client, in
 * milliseconds.
 */
const KNOWN_MS = 1_500;
/** The same time if single messages between replicas may be lost: their senders repeat them after a second. */
const KNOWN_AT_LAST_MS = 6_000;
/**
 * A client may learn that a request is settled before the agent receives the answer, by at most this time in
 * milliseconds.
 */
const CLOSING_MS = 500;
/** How long a fault may have an effect on the clients that an owner knows, in milliseconds. */
const FAULT_MS = 3_000;
/** How long a client may show a request that is settled, in milliseconds. */
const TOLD_MS = 3_000;

/** Whether a request of an agent is for a file or a terminal of one client. */
export function isDelegated(request: string): boolean {
  return /\?(file|terminal)/.test(request);
}

/** The requests of agents that clients received, and what their users answered. */
export class Answers {
  readonly #log: Log;
  readonly #dialogs: Dialog[] = [];
  /** The times at which agents received the first answers to their requests. */
  readonly #answeredAt = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The number of requests that clients received. */
  get count(): number {
    return this.#dialogs.length;
  }

  /** Records that a client received a request. */
  shown(dialog: Dialog): Dialog {
    const { client, request, connection } = dialog;
    if (this.#dialogs.some((one) => one.connection === connection && one.request === request))
      this.#log.problem(`dialogs: ${client} received ${request} twice on one connection`);
    if (isDelegated(request) && this.#dialogs.some((one) => one.request === request && one.client !== client))
      this.#log.problem(`dialogs: ${client} received ${request}, which another client handles`);
    this.#dialogs.push(dialog);
    return dialog;
  }

  /** Checks an answer when the agent receives it: a user gave it, or there is a reason for another answer. */
  check(
    request: string,
    answer: string,
    { now, isCancelled }: { readonly now: number; readonly isCancelled: boolean },
  ): void {
    const dialogs = this.#dialogs.filter((one) => one.request === request);
    if (!this.#answeredAt.has(request)) this.#answeredAt.set(request, now);
    if (answer === "cancelled") {
      if (!isCancelled) this.#log.problem(`answers: ${request} was cancelled, and its turn was not`);
    } else if (answer !== policyAnswer) {
      if (!dialogs.some((one) => one.answer === answer))
        this.#log.problem(`answers: no user answered ${request} with ${answer}`);
    } else {
      const isFaulty = (kinds: readonly Fault["kind"][]): boolean => this.#log.hasFault(kinds, now, now, FAULT_MS);
      if (isFaulty(["replica", "engine", "full"])) return;
      const knownMs = isFaulty(["calls"]) ? KNOWN_AT_LAST_MS : KNOWN_MS;
      const seen = dialogs.find(
        ({ openedAt, closedAt = now }) => closedAt >= now - CLOSING_MS && openedAt <= now - knownMs,
      );
      if (seen !== undefined)
        this.#log.problem(`answers: the policy answered ${request}, which ${seen.client} showed to its user`);
    }
  }

  /** Checks that the other clients were notified soon after a request was settled. */
  checkTold(): void {
    for (const { client, request, openedAt, closedAt = Number.POSITIVE_INFINITY } of this.#dialogs) {
      const answeredAt = this.#answeredAt.get(request);
      if (answeredAt === undefined || closedAt <= Math.max(openedAt, answeredAt) + TOLD_MS) continue;
      if (this.#log.hasFault(["replica", "engine", "full", "calls"], answeredAt, answeredAt + TOLD_MS, FAULT_MS))
        continue;
      this.#log.problem(`dialogs: ${client} showed ${request} long after it was settled`);
    }
  }
}
