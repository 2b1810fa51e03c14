import type { IncomingRequestPermissionRequest, PermissionOption } from "@acp-kit/types";
import { Cell } from "../cell.js";
import type { Session } from "../session/session.js";
import type { RuleDecision } from "./rule-decision.js";

/**
 * A permission request that waits for the user's decision. The object is immutable; when the state of the question
 * changes, a new object replaces it.
 */
export interface PermissionQuestion {
  /** A number that increases with each question, usable as the `key` of a list. */
  readonly id: number;
  /** The permission request, with its tool call completed from the agent's earlier updates. */
  readonly request: IncomingRequestPermissionRequest;
  /** The options of the permission request, in the agent's order. */
  readonly options: readonly PermissionOption[];
  readonly session: Session | undefined;
  /** The state of the question. `waiting`: it is not shown to the user yet. `shown`: it is shown. */
  readonly state: "waiting" | "shown";
  /**
   * The time at which the question is rejected if the user has not decided, in milliseconds since 1970; `undefined`
   * until the question is shown, and without the option `timeoutMs`.
   */
  readonly expiresAt: number | undefined;
  /**
   * Decides the permission request, even before the question is shown. Returns `false` if it was already decided or
   * cancelled.
   */
  decide(decision: Exclude<RuleDecision, undefined>, person?: string): boolean;
}

/** A question to add to the queue of open questions. */
export interface NewQuestion extends Pick<PermissionQuestion, "request" | "options" | "session" | "decide"> {
  /**
   * Called when it is this question's turn to be shown. `markShown` changes its state to `shown` and returns the
   * question, or `undefined` if it was removed. `waited` is true if the question had to wait for other questions.
   */
  readonly show: (
    markShown: (expiresAt: number | undefined) => PermissionQuestion | undefined,
    waited: boolean,
  ) => Promise<void>;
}

/**
 * The queue of open questions. At most `concurrency` questions are shown at the same time; the others wait in order.
 */
export class PermissionQuestions {
  readonly list: Cell<readonly PermissionQuestion[]> = new Cell<readonly PermissionQuestion[]>([]);
  readonly #concurrency: number;
  readonly #questions = new Map<number, { readonly question: NewQuestion; isShown: boolean; isRemoved: boolean }>();
  #last = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  nextId(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Adds a question to the list. It is shown in a microtask at the earliest. */
  add(id: number, question: NewQuestion): void {
    this.#questions.set(id, { question, isShown: false, isRemoved: false });
    const { request, options, session, decide } = question;
    const waiting: PermissionQuestion = {
      id,
      request,
      options,
      session,
      state: "waiting",
      expiresAt: undefined,
      decide,
    };
    this.list.set([...this.list.snapshot, waiting]);
    const waited = this.#showing() >= this.#concurrency;
    queueMicrotask(() => this.#show(waited));
  }

  /**
   * Removes a question from the list. A question that was shown still counts as shown until {@link free} is called.
   * Returns `false` if it was already removed.
   */
  remove(id: number): boolean {
    const entry = this.#questions.get(id);
    if (entry === undefined || entry.isRemoved) return false;
    entry.isRemoved = true;
    this.list.set(this.list.snapshot.filter((question) => question.id !== id));
    return true;
  }

  /**
   * Stops counting a question as shown, and shows the next question. Called when the decision about the question has
   * been processed.
   */
  free(id: number): void {
    if (this.#questions.delete(id)) queueMicrotask(() => this.#show(true));
  }

  #showing(): number {
    return [...this.#questions.values()].filter(({ isShown }) => isShown).length;
  }

  #show(waited: boolean): void {
    let free = this.#concurrency - this.#showing();
    for (const [id, entry] of this.#questions) {
      if (free <= 0) return;
      if (entry.isShown || entry.isRemoved) continue;
      free -= 1;
      entry.isShown = true;
      void entry.question.show((expiresAt) => this.#markShown(id, expiresAt), waited);
    }
  }

  #markShown(id: number, expiresAt: number | undefined): PermissionQuestion | undefined {
    const now = (question: PermissionQuestion): PermissionQuestion =>
      question.id === id ? { ...question, state: "shown", expiresAt } : question;
    this.list.set(this.list.snapshot.map(now));
    return this.list.snapshot.find((question) => question.id === id);
  }
}
