import { after } from "@acp-kit/jsonrpc";
import { Refusal } from "./refusal.js";

/** Whose turn it is; see {@link PostOrder.enter}. */
export type Turn = "mine" | "done";

interface Waiting {
  readonly proceed: (turn: Turn) => void;
  readonly refuse: (refusal: Refusal) => void;
  readonly stop: () => void;
}

/**
 * Restores the order of numbered POSTs, which may overtake each other on the way, and lets each number through once: a repeated POST waits for the
 * first and is then done.
 */
export class PostOrder {
  readonly #limits: { readonly maxWaitingPosts: number; readonly postOrderTimeoutMs: number };
  readonly #waiting = new Map<number, Waiting[]>();
  #count = 0;
  /** The lowest number that has not left. */
  #next = 1;
  #isInside = false;
  #closed = false;

  constructor(limits: { readonly maxWaitingPosts: number; readonly postOrderTimeoutMs: number }) {
    this.#limits = limits;
  }

  /**
   * Waits for the turn of a number: `mine` to handle the POST and then {@link leave}, `done` when an earlier POST of this number was handled.
   *
   * @throws {Refusal} 429 when too many wait, 409 when a lower number does not come, 404 when the connection ends.
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
      throw new Refusal(429, `More than ${maxWaitingPosts} POSTs of this connection wait for one before them.`, {
        limit: "maxWaitingPosts",
        headers: { "retry-after": "1" },
      });
    }
    return new Promise((resolve, reject) => {
      const expired = (): void => {
        if (number === this.#next) return; // its predecessors have arrived: it waits for the one inside
        this.#remove(number, waiting);
        const message = `POST ${number} waited ${postOrderTimeoutMs} ms for POST ${this.#next}, which did not arrive.`;
        reject(new Refusal(409, message, { limit: "postOrderTimeoutMs" }));
      };
      const waiting: Waiting = { proceed: resolve, refuse: reject, stop: after(postOrderTimeoutMs, expired) };
      this.#waiting.set(number, [...(this.#waiting.get(number) ?? []), waiting]);
      this.#count += 1;
    });
  }

  /** The POST whose turn it was has been handled, or refused for good. */
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

  /** The POST whose turn it was broke off before it was handled: the next one with its number takes the turn. */
  giveBack(): void {
    this.#isInside = false;
    this.#admit();
  }

  /** The connection has ended: all that wait are refused. */
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
    if (first === undefined) return;
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
