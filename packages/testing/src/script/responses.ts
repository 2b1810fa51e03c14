import type { HeldResponses } from "./scripted-peer.js";

/** Sends responses, and holds back the responses to methods that the test selects. */
export class Responses {
  readonly #held = new Map<string, Held>();

  /** Sends a response now, or later if its method is held. */
  send(method: string, respond: () => void): void {
    const held = this.#held.get(method);
    if (held === undefined) respond();
    else held.add(respond);
  }

  hold(method: string): HeldResponses {
    const held = this.#held.get(method) ?? new Held(() => this.#held.delete(method));
    this.#held.set(method, held);
    return held;
  }
}

class Held implements HeldResponses {
  readonly #responses: (() => void)[] = [];
  readonly #watching = new Set<() => void>();
  readonly #forget: () => void;

  constructor(forget: () => void) {
    this.#forget = forget;
  }

  get waiting(): number {
    return this.#responses.length;
  }

  add(respond: () => void): void {
    this.#responses.push(respond);
    for (const look of [...this.#watching]) look();
  }

  waitFor(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#responses.length < count) return;
        this.#watching.delete(look);
        resolve();
      };
      this.#watching.add(look);
      look();
    });
  }

  release(count = 1): void {
    for (const respond of this.#responses.splice(0, count)) respond();
  }

  stop(): void {
    this.#forget();
    this.release(this.#responses.length);
  }
}
