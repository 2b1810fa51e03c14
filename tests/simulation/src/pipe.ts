import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import type { SimProcess, World } from "./world.js";

/** One end of a connection between two processes, with a delay for each message. */
export class Pipe implements Transport {
  readonly #world: World;
  readonly #process: SimProcess;
  readonly #maxDelayMs: number;
  /** How long `close` takes, in milliseconds. */
  closeMs = 0;
  #peer: Pipe | undefined;
  #receiver: TransportReceiver | undefined;
  #inbox: (() => void)[] = [];
  #lastAt = 0;
  #isEnded = false;

  private constructor(world: World, process: SimProcess, maxDelayMs: number) {
    this.#world = world;
    this.#process = process;
    this.#maxDelayMs = maxDelayMs;
  }

  /** Connects two processes. */
  static between(world: World, a: SimProcess, b: SimProcess, maxDelayMs = 20): [Pipe, Pipe] {
    const [one, other] = [new Pipe(world, a, maxDelayMs), new Pipe(world, b, maxDelayMs)];
    one.#peer = other;
    other.#peer = one;
    for (const process of [a, b]) process.onKill(() => one.break(new Error(`${process.name} was killed`)));
    return [one, other];
  }

  get full(): undefined {
    return undefined;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    for (const deliver of this.#inbox.splice(0)) deliver();
  }

  send(message: Message): number {
    const text = JSON.stringify(message);
    this.#world.note(`${this.#process.name}: ${text}`);
    this.#toPeer((receiver) => receiver.message(JSON.parse(text), text.length));
    return text.length;
  }

  pause(): void {}
  resume(): void {}

  async close(): Promise<void> {
    if (this.#isEnded) return;
    this.#toPeer((receiver) => receiver.ended());
    this.#isEnded = true;
    if (this.closeMs > 0) await this.#world.sleep(this.closeMs);
  }

  /** Cuts the connection. Messages on their way are lost, and each end detects the cut after a delay of its own. */
  break(error: unknown): void {
    for (const end of [this, this.#peer]) {
      if (end === undefined || end.#isEnded) continue;
      end.#isEnded = true;
      const fail = (): void => {
        if (end.#receiver === undefined) end.#inbox.push(fail);
        else end.#receiver.failed(error);
      };
      end.#process.run(() => this.#world.after(this.#world.random.int(0, 50), () => end.#process.run(fail)));
    }
  }

  #toPeer(act: (receiver: TransportReceiver) => void): void {
    const peer = this.#peer;
    if (this.#isEnded || this.#process.isDead || peer === undefined || peer.#isEnded) return;
    peer.#lastAt = Math.max(peer.#lastAt, this.#world.now() + this.#world.random.int(0, this.#maxDelayMs));
    const deliver = (): void => {
      if (peer.#isEnded) return;
      if (peer.#receiver === undefined) peer.#inbox.push(deliver);
      else act(peer.#receiver);
    };
    this.#world.after(peer.#lastAt - this.#world.now(), () => peer.#process.run(deliver));
  }
}
