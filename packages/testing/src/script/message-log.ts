import { limitsAmong } from "@acp-kit/jsonrpc/internal";
import type { Clock } from "../clock.js";
import { dialogue } from "../dialogue.js";
import type { Seen, Side, WireMessage } from "../wire-message.js";
import type { WaitOptions } from "./scripted-peer.js";

const DEFAULT_TIMEOUT_MS = 5_000;

/** The longest time of a timer, about 25 days. A longer one would end at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

// The real timers, stored before fake timers can replace them: a test that waits in vain must fail in real time.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

interface Waiter {
  readonly what: string;
  /** Whether the message is removed for other calls that take messages, and not only shared. */
  readonly takes: boolean;
  readonly test: (message: WireMessage) => boolean;
  readonly resolve: (message: WireMessage) => void;
  readonly reject: (error: Error) => void;
}

/** All messages that a scripted peer has sent and received, and the calls that wait for the next message. */
export class MessageLog {
  readonly seen: Seen[] = [];
  readonly #side: Side;
  readonly #clock: Clock;
  readonly #taken = new Set<WireMessage>();
  readonly #waiters = new Set<Waiter>();
  /** The number of messages that {@link forget} has excluded. */
  #forgotten = 0;
  #end: { readonly reason: string; readonly cause: unknown } | undefined;

  constructor(side: Side, clock: Clock) {
    this.#side = side;
    this.#clock = clock;
  }

  add(from: Side, message: WireMessage | undefined, text?: string): void {
    const entry = { index: this.seen.length, from, time: this.#clock.now(), message };
    this.seen.push(text === undefined ? entry : { ...entry, text });
    if (from === this.#side || message === undefined) return;
    let isNext = false;
    for (const waiter of this.#waiters) {
      if ((waiter.takes ? this.#taken.has(message) : isNext) || !waiter.test(message)) continue;
      this.#waiters.delete(waiter);
      if (waiter.takes) this.#taken.add(message);
      else isNext = true;
      waiter.resolve(message);
    }
  }

  /** The messages that the other side has sent since {@link forget}. */
  received(): WireMessage[] {
    return this.seen
      .slice(this.#forgotten)
      .flatMap(({ from, message }) => (from === this.#side || message === undefined ? [] : [message]));
  }

  forget(): void {
    this.#forgotten = this.seen.length;
  }

  /** Returns the last received message of a method, or throws an error that lists all messages. */
  last(method: string): WireMessage {
    const found = this.received().findLast((message) => message.method === method);
    if (found === undefined) throw new Error(`The ${this.#side} has not received ${method}. ${this.#soFar()}`);
    return found;
  }

  /** Resolves with the next matching message that was not taken. `what` describes it in an error. */
  take(what: string, test: (message: WireMessage) => boolean, options: WaitOptions = {}): Promise<WireMessage> {
    const ready = this.received().find((message) => !this.#taken.has(message) && test(message));
    const { timeoutMs } = limitsAmong("options", { timeoutMs: DEFAULT_TIMEOUT_MS }, options);
    if (ready === undefined) return this.#wait({ what, test, takes: true }, timeoutMs);
    this.#taken.add(ready);
    return Promise.resolve(ready);
  }

  /**
   * Resolves with the next matching message from now on, without a deadline. A message resolves only the oldest of
   * these calls: of two open requests with the same id, the first response belongs to the first.
   */
  next(what: string, test: (message: WireMessage) => boolean): Promise<WireMessage> {
    return this.#wait({ what, test, takes: false }, undefined);
  }

  /** Called when no more messages will come: waiting calls reject with the reason. */
  end(reason: string, cause: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason, cause };
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const { what, reject } of waiters) reject(this.#inVain(what, reason, cause));
  }

  #wait(how: Pick<Waiter, "what" | "test" | "takes">, timeoutMs: number | undefined): Promise<WireMessage> {
    if (this.#end !== undefined)
      return quietly(Promise.reject(this.#inVain(how.what, this.#end.reason, this.#end.cause)));
    const waiting = new Promise<WireMessage>((resolve, reject) => {
      const waiter: Waiter = {
        ...how,
        resolve: (message) => {
          stopTimer(timer);
          resolve(message);
        },
        reject: (error) => {
          stopTimer(timer);
          reject(error);
        },
      };
      const expired = (): void => {
        this.#waiters.delete(waiter);
        reject(this.#inVain(how.what, `${timeoutMs} ms have passed without such a message`));
      };
      const hasLimit = timeoutMs !== undefined && timeoutMs <= LONGEST_TIMER_MS;
      const timer = hasLimit ? startTimer(expired, timeoutMs) : undefined;
      this.#waiters.add(waiter);
    });
    return quietly(waiting);
  }

  #inVain(what: string, why: string, cause?: unknown): Error {
    const text = `The scripted ${this.#side} waited for ${what}, which did not come: ${why}. ${this.#soFar()}`;
    return new Error(text, cause === undefined ? {} : { cause });
  }

  #soFar(): string {
    return this.seen.length === 0 ? "No message arrived." : `The messages were:\n${dialogue(this.seen)}`;
  }
}

/** Returns a promise whose rejection is not reported as unhandled. */
export function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
