import type { Message } from "./message.js";
import type { Transport, TransportReceiver } from "./transport.js";

/**
 * Two web streams of messages, one for each direction. It is the shape of the official SDK's `Stream`, so that
 * whatever makes one for it (WebSocket, HTTP, tests) serves here too, and the other way round.
 */
export interface MessageStream {
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<unknown>;
}

/** Uses a {@link MessageStream} as a transport. Web streams cost more than the rest of the path: at the edge only. */
export function fromMessageStream(stream: MessageStream): Transport {
  return new StreamTransport(stream);
}

class StreamTransport implements Transport {
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  readonly #writer: WritableStreamDefaultWriter<unknown>;
  #receiver: TransportReceiver | undefined;
  #paused: { readonly until: Promise<void>; readonly resume: () => void } | undefined;
  #ended = false;

  constructor({ readable, writable }: MessageStream) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#writer.closed.catch((error: unknown) => this.#fail(error));
  }

  get full(): Promise<void> | undefined {
    if (this.#ended || (this.#writer.desiredSize ?? 1) > 0) return undefined;
    return this.#writer.ready.catch(() => {});
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    void this.#read(receiver);
  }

  send(message: Message): number {
    if (this.#ended) return 0;
    this.#writer.write(message).catch((error: unknown) => this.#fail(error));
    return 0;
  }

  pause(): void {
    if (this.#paused !== undefined) return;
    let resume = (): void => {};
    const until = new Promise<void>((resolve) => {
      resume = resolve;
    });
    this.#paused = { until, resume };
  }

  resume(): void {
    this.#paused?.resume();
    this.#paused = undefined;
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.resume();
    await this.#writer.close().catch(() => {}); // written first, then closed: the stream keeps the order
    await this.#reader.cancel().catch(() => {});
  }

  async #read(receiver: TransportReceiver): Promise<void> {
    try {
      for (;;) {
        if (this.#paused !== undefined) await this.#paused.until;
        const { done, value } = await this.#reader.read();
        if (this.#ended) return;
        if (done) return receiver.ended();
        receiver.message(value, 0);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.resume();
    this.#receiver?.failed(error);
  }
}

/** Offers a {@link Transport} as a pair of web streams of messages, for the official SDK and everything that takes its `Stream`. */
export function toMessageStream(transport: Transport): MessageStream {
  let ended = false;
  const readable = new ReadableStream<unknown>({
    start(controller) {
      transport.start({
        message(value) {
          controller.enqueue(value);
          if ((controller.desiredSize ?? 0) <= 0) transport.pause();
        },
        malformed() {}, // the other side of this adapter has no word for it
        ended() {
          ended = true;
          controller.close();
        },
        failed(error) {
          ended = true;
          controller.error(error);
        },
      });
    },
    pull() {
      transport.resume();
    },
    cancel() {
      return transport.close();
    },
  });
  const writable = new WritableStream<unknown>({
    write(message) {
      transport.send(message as Message);
      return transport.full;
    },
    close() {
      return transport.close();
    },
    abort() {
      return ended ? undefined : transport.close();
    },
  });
  return { readable, writable };
}
