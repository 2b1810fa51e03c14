import type { HeldAnswers } from "./scripted-peer.js";

/** The responses that a test holds back, by method. */
export class Answers {
  readonly #held = new Map<string, Held>();

  /** Sends a response now, or later if its method is held. */
  give(method: string, answer: () => void): void {
    const held = this.#held.get(method);
    if (held === undefined) answer();
    else held.add(answer);
  }

  hold(method: string): HeldAnswers {
    const held = this.#held.get(method) ?? new Held(() => this.#held.delete(method));
    this.#held.set(method, held);
    return held;
  }
}

class Held implements HeldAnswers {
  readonly #answers: (() => void)[] = [];
  readonly #watching = new Set<() => void>();
  readonly #forget: () => void;

  constructor(forget: () => void) {
    this.#forget = forget;
  }

  get waiting(): number {
    return this.#answers.length;
  }

  add(answer: () => void): void {
    this.#answers.push(answer);
    for (const look of [...this.#watching]) look();
  }

  waitFor(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#answers.length < count) return;
        this.#watching.delete(look);
        resolve();
      };
      this.#watching.add(look);
      look();
    });
  }

  release(count = 1): void {
    for (const answer of this.#answers.splice(0, count)) answer();
  }

  stop(): void {
    this.#forget();
    this.release(this.#answers.length);
  }
}
