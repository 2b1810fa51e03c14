import { quietly } from "./message-log.js";
import type { HeldResponses } from "./scripted-peer.js";

/** Sends responses, and holds back the responses to methods that the test selects. */
export class Responses {
  readonly #held = new Map<string, Held>();
  #end: string | undefined;

  /** Sends a response now, or later if its method is held. */
  send(method: string, respond: () => void): void {
    const held = this.#held.get(method);
    if (held === undefined) respond();
    else held.add(respond);
  }

  hold(method: string): HeldResponses {
    const known = this.#held.get(method);
    if (known !== undefined) return known;
    const held = new Held(method, () => this.#held.delete(method));
    if (this.#end !== undefined) held.end(this.#end);
    this.#held.set(method, held);
    return held;
  }

  /** Called when no more requests will come: the calls that wait for further responses reject with the reason. */
  end(reason: string): void {
    this.#end ??= reason;
    for (const held of this.#held.values()) held.end(this.#end);
  }
}

interface Waiter {
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

class Held implements HeldResponses {
  readonly #responses: (() => void)[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #method: string;
  readonly #forget: () => void;
  #end: string | undefined;

  constructor(method: string, forget: () => void) {
    this.#method = method;
    this.#forget = forget;
  }

  get waiting(): number {
    return this.#responses.length;
  }

  add(respond: () => void): void {
    this.#responses.push(respond);
    this.#settle();
  }

  waitFor(count: number): Promise<void> {
    const waiting = new Promise<void>((resolve, reject) => {
      this.#waiters.add({ count, resolve, reject });
    });
    this.#settle();
    return quietly(waiting);
  }

  end(reason: string): void {
    this.#end ??= reason;
    this.#settle();
  }

  release(count = 1): void {
    for (const respond of this.#responses.splice(0, count)) respond();
  }

  stop(): void {
    this.#forget();
    this.release(this.#responses.length);
  }

  /** Settles the calls of `waitFor` whose count is reached, or can't be reached because the connection has ended. */
  #settle(): void {
    const { length } = this.#responses;
    for (const waiter of this.#waiters) {
      if (length < waiter.count && this.#end === undefined) continue;
      this.#waiters.delete(waiter);
      if (length >= waiter.count) waiter.resolve();
      else
        waiter.reject(
          new Error(`Only ${length} of ${waiter.count} responses to ${this.#method} were held back: ${this.#end}`),
        );
    }
  }
}
