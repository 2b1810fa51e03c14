import { after } from "@acp-kit/jsonrpc";
import { Refusal } from "./refusal.js";

/**
 * The result of {@link PostOrder.enter}: whether the POST has to be handled (`mine`) or was handled before (`done`).
 */
export type Turn = "mine" | "done";

interface Waiting {
  readonly proceed: (turn: Turn) => void;
  readonly refuse: (refusal: Refusal) => void;
  /** Stops the time limit. */
  stop: () => void;
}

/**
 * Restores the order of numbered POSTs, because they may arrive in a different order. Each number is handled once. A
 * repeated POST waits until the first POST with the same number was handled.
 */
export class PostOrder {
  readonly #limits: { readonly maxWaitingPosts: number; readonly postOrderTimeoutMs: number };
  readonly #waiting = new Map<number, Waiting[]>();
  #count = 0;
  /** The lowest number that was not handled yet. */
  #next = 1;
  /** Whether the POST with the number `#next` arrived and is being handled. */
  #isInside = false;
  /** The time since which the POST with the number `#next` is missing. It has no meaning while that POST is being handled. */
  #missingSince = 0;
  #closed = false;

  constructor(limits: { readonly maxWaitingPosts: number; readonly postOrderTimeoutMs: number }) {
    this.#limits = limits;
  }

  /**
   * Waits until it is known whether the caller must handle the POST with this number. Returns `mine` if the caller must handle it; the caller
   * then calls {@link leave}, or {@link giveBack} if it did not handle the POST. Returns `done` if another POST with the same number was
   * already handled or finally refused.
   *
   * @throws {Refusal} 429 when too many POSTs wait, 409 when a lower number does not arrive, 404 when the connection ends.
   */
  enter(number: number): Turn | Promise<Turn> {
    if (number < this.#next) return "done";
    if (number === this.#next && !this.#isInside) {
      this.#isInside = true;
      return "mine";
    }
    const { maxWaitingPosts, postOrderTimeoutMs } = this.#limits;
    if (this.#closed) throw connectionEnded();
    if (this.#count >= maxWaitingPosts || number > this.#next + maxWaitingPosts) {
      throw new Refusal(
        429,
        `More than ${maxWaitingPosts} POSTs of this connection wait for a POST with a lower number.`,
        {
          limit: "maxWaitingPosts",
          headers: { "retry-after": "1" },
        },
      );
    }
    return new Promise((resolve, reject) => {
      const check = (): void => {
        // While the agent does not read, the POST before this one may take any time. Only a POST that did not arrive has a time limit.
        const missingMs = this.#isInside ? 0 : performance.now() - this.#missingSince;
        if (missingMs < postOrderTimeoutMs) {
          waiting.stop = after(Math.ceil(postOrderTimeoutMs - missingMs), check);
          return;
        }
        this.#remove(number, waiting);
        const message = `POST ${number} waited ${postOrderTimeoutMs} ms for POST ${this.#next}, which did not arrive.`;
        reject(new Refusal(409, message, { limit: "postOrderTimeoutMs" }));
      };
      const waiting: Waiting = { proceed: resolve, refuse: reject, stop: after(postOrderTimeoutMs, check) };
      this.#waiting.set(number, [...(this.#waiting.get(number) ?? []), waiting]);
      this.#count += 1;
    });
  }

  /** Records that the current POST was handled or finally refused. The POST with the next number may then be handled. */
  leave(): void {
    const done = this.#next;
    this.#next += 1;
    this.#isInside = false;
    for (const { proceed, stop } of this.#take(done)) {
      stop();
      proceed("done");
    }
    this.#admit();
  }

  /** Records that a POST was not handled. The next POST with the same number is handled in its place. */
  giveBack(): void {
    this.#isInside = false;
    this.#admit();
  }

  /** Refuses all waiting POSTs, because the connection has ended. */
  close(): void {
    this.#closed = true;
    for (const number of [...this.#waiting.keys()]) {
      for (const { refuse, stop } of this.#take(number)) {
        stop();
        refuse(connectionEnded());
      }
    }
  }

  #admit(): void {
    const [first, ...rest] = this.#take(this.#next);
    if (first === undefined) {
      this.#missingSince = performance.now();
      return;
    }
    this.#isInside = true;
    if (rest.length > 0) {
      this.#waiting.set(this.#next, rest);
      this.#count += rest.length;
    }
    first.stop();
    first.proceed("mine");
  }

  #take(number: number): Waiting[] {
    const waiting = this.#waiting.get(number) ?? [];
    this.#waiting.delete(number);
    this.#count -= waiting.length;
    return waiting;
  }

  #remove(number: number, waiting: Waiting): void {
    const rest = this.#take(number).filter((other) => other !== waiting);
    if (rest.length === 0) return;
    this.#waiting.set(number, rest);
    this.#count += rest.length;
  }
}

function connectionEnded(): Refusal {
  return new Refusal(404, "The connection has ended.");
}
