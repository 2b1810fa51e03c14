import type { Message, Transport, TransportReceiver } from "../src/index.js";
import { type Gate, gate } from "./settle.js";

/** How many messages the pipe to this side holds before the peer blocks. */
const PIPE_LENGTH = 10;

/**
 * A transport whose peer has one thread, as many agents do: while its pipe to this side is full, it blocks, and reads
 * nothing. Each `tick` moves a few messages, and only while this side reads.
 */
export class BlockingPeer implements Transport {
  /** Returns the messages that the peer writes when it reads a message. */
  readonly #reply: (message: Message) => readonly object[];
  readonly #toPeer: Message[] = [];
  readonly #toUs: object[] = [];
  #receiver: TransportReceiver | undefined;
  #paused = false;
  #room: Gate | undefined;

  constructor(reply: (message: Message) => readonly object[]) {
    this.#reply = reply;
  }

  get full(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
  }

  send(message: Message): number {
    this.#toPeer.push(message);
    if (this.#toPeer.length > 2 && this.#room === undefined) this.#room = gate();
    return 0;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  close(): Promise<void> {
    this.#paused = true;
    this.#room?.open();
    return Promise.resolve();
  }

  write(...messages: readonly object[]): void {
    this.#toUs.push(...messages);
  }

  /** Lets the peer read one message if it is not blocked, and delivers a few of its messages. */
  tick(size: number): void {
    if (this.#toUs.length < PIPE_LENGTH) {
      const message = this.#toPeer.shift();
      if (message !== undefined) this.write(...this.#reply(message));
    }
    if (this.#toPeer.length <= 1) {
      this.#room?.open();
      this.#room = undefined;
    }
    for (let i = 0; i < 4 && !this.#paused; i += 1) {
      const message = this.#toUs.shift();
      if (message !== undefined) this.#receiver?.message({ jsonrpc: "2.0", ...message }, size);
    }
  }
}
