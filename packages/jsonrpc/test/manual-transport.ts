import type { MalformedInput, Message, Transport, TransportReceiver } from "../src/index.js";

/** A transport that a test controls: the test delivers messages, says when there is room, and reads what was sent. */
export class ManualTransport implements Transport {
  /** The sent messages, as a wire would deliver them. */
  readonly sent: Record<string, unknown>[] = [];
  /** Every `pause` and `resume`, in order. */
  readonly reading: ("pause" | "resume")[] = [];
  full: Promise<void> | undefined;
  closes = 0;
  /** Set to make `close` wait, or fail. */
  closing: () => Promise<void> = () => Promise.resolve();
  /** Called with each message before it is accepted; may throw. */
  onSend: (message: Message) => void = () => {};
  #receiver: TransportReceiver | undefined;

  get paused(): boolean {
    return this.reading.at(-1) === "pause";
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
  }

  send(message: Message, known?: string): number {
    const text = known ?? JSON.stringify(message);
    this.onSend(message);
    this.sent.push(JSON.parse(text));
    return text.length;
  }

  pause(): void {
    this.reading.push("pause");
  }

  resume(): void {
    this.reading.push("resume");
  }

  close(): Promise<void> {
    this.closes += 1;
    return this.closing();
  }

  /** Delivers messages, each with `jsonrpc` added. */
  deliver(...messages: object[]): void {
    for (const message of messages) this.deliverValue({ jsonrpc: "2.0", ...message });
  }

  /** Delivers any JSON value as it is. */
  deliverValue(value: unknown, size: number = JSON.stringify(value)?.length ?? 0): void {
    this.#receiver?.message(value, size);
  }

  deliverMalformed(input: Partial<MalformedInput> = {}): void {
    this.#receiver?.malformed({ kind: "not_json", message: "not JSON", excerpt: "oops", size: 4, ...input });
  }

  end(): void {
    this.#receiver?.ended();
  }

  fail(error: unknown): void {
    this.#receiver?.failed(error);
  }

  /** The responses among the sent messages. */
  get responses(): Record<string, unknown>[] {
    return this.sent.filter((message) => !("method" in message));
  }

  /** Returns the id of the last request that was sent with this method. */
  lastId(method: string): unknown {
    return this.sent.findLast((message) => message.method === method)?.id;
  }
}
