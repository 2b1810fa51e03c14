import { after } from "@acp-kit/jsonrpc";
import { Refusal } from "./refusal.js";

/**
 * The result of {@link PostOrder.enter}: whether the POST has to be handled (`mine`) or was handled before (`done`).
 */
export type Turn = "mine" | "done";

/** The number of refused POSTs whose errors are kept. A client sends a POST again soon, or never. */
const MAX_REFUSED = 256;

/** The limits of a {@link PostOrder}. */
export interface PostOrderLimits {
  readonly maxWaitingPosts: number;
  readonly postOrderTimeoutMs: number;
}

interface Waiting {
  readonly proceed: (turn: Turn) => void;
  readonly refuse: (error: unknown) => void;
  /** Stops the time limit. */
  stop: () => void;
}

/**
 * Restores the order of numbered POSTs, because they may arrive in a different order. Each number is handled once. A
 * repeated POST waits until the first POST with the same number was handled.
 */
export class PostOrder {
  readonly #limits: PostOrderLimits;
  readonly #waiting = new Map<number, Waiting[]>();
  #count = 0;
  /** The lowest number that was not handled yet. */
  #next = 1;
  /** Whether the POST with the number `#next` arrived and is being handled. */
  #isInside = false;
  /** Whether the body of a POST with the number `#next` is being read: see {@link read}. */
  #isReading = false;
  /** The time since which the POST with the number `#next` is missing. It has no meaning while that POST is being handled. */
  #missingSince = 0;
  #closed = false;
  /** The errors of the last POSTs that were finally refused, by number. A client that lost such a response sends the POST again and gets the same error. */
  readonly #refused = new Map<number, unknown>();

  constructor(limits: PostOrderLimits) {
    this.#limits = limits;
  }

  /**
   * Begins to read the body of a POST. Returns `true` if it is the POST for which the others wait, and no other POST with its number is being read; the caller then
   * calls {@link readDone}.
   */
  read(number: number): boolean {
    if (number !== this.#next || this.#isReading) return false;
    this.#isReading = true;
    return true;
  }

  readDone(): void {
    this.#isReading = false;
  }

  /**
   * Waits until it is known whether the caller must handle the POST with this number. Returns `mine` if the caller must handle it; the caller
   * then calls {@link leave} or {@link refuse}, or {@link giveBack} if it did not handle the POST. Returns `done` if another POST with the same number was
   * already handled. Throws the error of that POST if it was finally refused.
   *
   * @throws {Refusal} 429 when too many POSTs wait, 409 when a lower number does not arrive, 404 when the connection ends.
   */
  enter(number: number): Turn | Promise<Turn> {
    if (this.#refused.has(number)) throw this.#refused.get(number);
    if (number < this.#next) return "done";
    if (number === this.#next && !this.#isInside) {
      this.#isInside = true;
      return "mine";
    }
    const { maxWaitingPosts, postOrderTimeoutMs } = this.#limits;
    if (this.#closed) throw connectionEnded();
    if (this.#count >= maxWaitingPosts || number > this.#next + maxWaitingPosts) {
      throw tooMuchWaits(`More than ${maxWaitingPosts} POSTs wait for a POST with a lower number.`, "maxWaitingPosts");
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
      this.#put(number, [...this.#take(number), waiting]);
    });
  }

  /** Records that the current POST was handled. The POST with the next number may then be handled. */
  leave(): void {
    this.#pass(({ proceed }) => proceed("done"));
  }

  /** Records that the current POST was finally refused. The POST with the next number may then be handled. */
  refuse(error: unknown): void {
    this.#refused.set(this.#next, error);
    if (this.#refused.size > MAX_REFUSED) {
      const oldest = this.#refused.keys().next();
      if (!oldest.done) this.#refused.delete(oldest.value);
    }
    this.#pass(({ refuse }) => refuse(error));
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

  /** Settles the repetitions of the current POST, and goes on to the next number. */
  #pass(settle: (repetition: Waiting) => void): void {
    const repetitions = this.#take(this.#next);
    this.#next += 1;
    this.#isInside = false;
    for (const repetition of repetitions) {
      repetition.stop();
      settle(repetition);
    }
    this.#admit();
  }

  #admit(): void {
    const [first, ...rest] = this.#take(this.#next);
    if (first === undefined) {
      this.#missingSince = performance.now();
      return;
    }
    this.#isInside = true;
    this.#put(this.#next, rest);
    first.stop();
    first.proceed("mine");
  }

  #take(number: number): Waiting[] {
    const waiting = this.#waiting.get(number) ?? [];
    this.#waiting.delete(number);
    this.#count -= waiting.length;
    return waiting;
  }

  #put(number: number, waiting: Waiting[]): void {
    if (waiting.length === 0) return;
    this.#waiting.set(number, waiting);
    this.#count += waiting.length;
  }

  #remove(number: number, waiting: Waiting): void {
    this.#put(
      number,
      this.#take(number).filter((other) => other !== waiting),
    );
  }
}

/** The refusal of a POST, because the named limit for waiting POSTs was reached. The client may send the POST again. */
export function tooMuchWaits(message: string, limit: keyof PostOrderLimits): Refusal {
  return new Refusal(429, message, { limit, headers: { "retry-after": "1" } });
}

function connectionEnded(): Refusal {
  return new Refusal(404, "The connection has ended.");
}
