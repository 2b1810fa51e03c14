import type { Message } from "./message.js";
import type { TransportReceiver } from "./transport.js";

/**
 * Delivers messages to the receiver of a transport, in order. A message that is caused by a call of `send` is delivered
 * after that call has returned, as from any other transport.
 */
export class DeliveryQueue {
  #receiver: TransportReceiver | undefined;
  #queue: { readonly value: unknown; readonly size: number; readonly text: string | undefined }[] = [];
  #isSending = false;
  #isFlushing = false;
  #isEnded = false;

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    this.flush();
  }

  /** Runs `send`, and delivers later what it causes. */
  whileSending(send: () => number): number {
    this.#isSending = true;
    try {
      return send();
    } finally {
      this.#isSending = false;
    }
  }

  /** @param text the JSON text of the value, for receivers that take texts. */
  deliver(value: unknown, size: number, text?: string): void {
    if (this.#isEnded) return;
    if (!this.#isSending && !this.#isFlushing && this.#queue.length === 0 && this.#receiver !== undefined) {
      this.#pass(this.#receiver, value, size, text);
      return;
    }
    this.#queue.push({ value, size, text });
    if (this.#queue.length === 1) queueMicrotask(() => this.flush());
  }

  /** Delivers the queue. */
  flush(): void {
    if (this.#receiver === undefined || this.#isFlushing || this.#isSending) return;
    this.#isFlushing = true;
    // A delivered message can add messages to the queue, which this loop reaches.
    for (const { value, size, text } of this.#queue) if (!this.#isEnded) this.#pass(this.#receiver, value, size, text);
    this.#queue = [];
    this.#isFlushing = false;
  }

  #pass(receiver: TransportReceiver, value: unknown, size: number, text: string | undefined): void {
    if (text === undefined || !receiver.text?.(text, size, value as Message)) receiver.message(value, size);
  }

  /** Delivers the queue, and then nothing more. */
  end(): void {
    this.flush();
    this.#isEnded = true;
  }
}
