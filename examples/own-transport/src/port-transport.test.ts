import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { expect, test } from "vitest";
import { portTransport } from "./port-transport.js";

/** Collects the messages that arrive at one end. */
class Sink implements TransportReceiver {
  readonly numbers: unknown[] = [];
  readonly #waiting: (() => void)[] = [];
  ends = 0;

  message(value: unknown): void {
    this.numbers.push((value as { params: { n: number } }).params.n);
    this.#wake();
  }
  malformed(): void {}
  failed(): void {}
  ended(): void {
    this.ends += 1;
    this.#wake();
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const numbered = (n: number): Message => ({ jsonrpc: "2.0", method: "x", params: { n } });

function pair(): { left: Transport; right: Transport; sink: Sink } {
  const { port1, port2 } = new MessageChannel();
  const [left, right, sink] = [portTransport(port1), portTransport(port2), new Sink()];
  left.start(new Sink());
  right.start(sink);
  return { left, right, sink };
}

test("delivers in order, and signals back-pressure while the other side has not read", async () => {
  const { left, right, sink } = pair();
  right.pause();
  for (let n = 0; n < 1_000; n += 1) left.send(numbered(n));
  const { full } = left;
  expect(full).toBeInstanceOf(Promise);
  right.resume();
  await full;
  await sink.until(() => sink.numbers.length === 1_000);
  expect(sink.numbers).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  await left.close();
});

test("ends once, after all sent messages", async () => {
  const { left, sink, right } = pair();
  left.send(numbered(1));
  await left.close();
  await left.close();
  await sink.until(() => sink.ends > 0);
  expect([sink.numbers, sink.ends]).toEqual([[1], 1]);
  await right.close();
});

test("refuses a message that can't be cloned, and sends later messages", async () => {
  const { left, sink } = pair();
  expect(() => left.send({ ...numbered(1), params: { n: () => {} } } as never)).toThrow(TypeError);
  left.send(numbered(2));
  await sink.until(() => sink.numbers.length === 1);
  expect(sink.numbers).toEqual([2]);
  await left.close();
});

test("releases senders that wait for room when it ends", async () => {
  const { left, right } = pair();
  right.pause();
  for (let n = 0; n < 1_000; n += 1) left.send(numbered(n));
  const { full } = left;
  await left.close();
  await full;
  await right.close();
});
