import type { Scheduler } from "fast-check";
import type { Message, Transport, TransportReceiver } from "../src/index.js";

/**
 * Creates two linked transports. The scheduler decides when each message arrives, before or after messages of the other
 * direction and other scheduled tasks. Messages of one direction keep their order, as in any transport.
 */
export function scheduledTransports(scheduler: Scheduler): [Transport, Transport] {
  const a = new ScheduledTransport(scheduler);
  const b = new ScheduledTransport(scheduler);
  a.peer = b;
  b.peer = a;
  return [a, b];
}

class ScheduledTransport implements Transport {
  readonly full: Promise<void> | undefined = undefined;
  peer: ScheduledTransport | undefined;
  readonly #scheduler: Scheduler;
  #receiver: TransportReceiver | undefined;
  #moving: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
  }

  send(message: Message): number {
    const text = JSON.stringify(message);
    if (!this.#ended) this.#move(`message ${text}`, (receiver) => receiver.message(JSON.parse(text), text.length));
    return text.length;
  }

  pause(): void {}

  resume(): void {}

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#move("end", (receiver) => receiver.ended());
    this.#ended = true;
  }

  #move(label: string, deliver: (receiver: TransportReceiver) => void): void {
    const { peer } = this;
    this.#moving = this.#moving
      .then(() => this.#scheduler.schedule(Promise.resolve(), label))
      .then(() => {
        if (peer !== undefined && !peer.#ended && peer.#receiver !== undefined) deliver(peer.#receiver);
      });
  }
}
