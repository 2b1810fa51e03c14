import { callQuietly } from "./call-quietly.js";
import { checkOptions, type OptionKinds } from "./check-options.js";
import { copyJson } from "./copy-json.js";
import { type Deferred, deferred } from "./deferred.js";
import type { Message } from "./message.js";
import { checkMessageValue, type MessageLimits, messageLimitsOf } from "./message-limits.js";
import { refusedMessage } from "./refused-message.js";
import { settledWithin } from "./timer.js";
import { closedBeforeStart, type MalformedInput, type Transport, type TransportReceiver } from "./transport.js";

/**
 * Two web streams of messages, one for each direction. It has the shape of `Stream` in the official SDK, so that a
 * transport that was written for one of the libraries also works with the other.
 */
export interface MessageStream {
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<unknown>;
}

/** Options of {@link fromMessageStream}. */
export interface FromMessageStreamOptions extends MessageLimits {
  /** The milliseconds that `close()` waits for queued messages before it aborts the stream. The default is 5,000. */
  readonly closeTimeoutMs?: number;
}

const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Creates a transport from a {@link MessageStream}. Passing a message through web streams takes longer than all other
 * steps of sending it, so use them only if other code needs them.
 *
 * An error in one direction ends both directions. A message that JSON can't represent would break the stream, so it is
 * refused before it reaches the stream.
 */
export function fromMessageStream(stream: MessageStream, options: FromMessageStreamOptions = {}): Transport {
  checkOptions("fromMessageStream", options, optionKinds);
  return new StreamTransport(stream, options);
}

const optionKinds: OptionKinds<FromMessageStreamOptions> = {
  closeTimeoutMs: "value",
  maxMessageDepth: "value",
  maxMessageNodes: "value",
};

class StreamTransport implements Transport {
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  readonly #writer: WritableStreamDefaultWriter<unknown>;
  readonly #limits: Required<MessageLimits>;
  readonly #closeTimeoutMs: number;
  #receiver: TransportReceiver | undefined;
  #paused: Deferred<void> | undefined;
  #ended = false;
  #lastWrite: Promise<void> = Promise.resolve();
  #unwritten = 0;
  /** A failure that happened before `start`. `start` reports it. */
  #failure: { readonly error: unknown } | undefined;

  constructor(
    { readable, writable }: MessageStream,
    { closeTimeoutMs = CLOSE_TIMEOUT_MS, ...limits }: FromMessageStreamOptions,
  ) {
    this.#limits = messageLimitsOf(limits);
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#writer.closed.catch((error: unknown) => this.#fail(error));
  }

  get full(): Promise<void> | undefined {
    // A writable with a high-water mark of 0 never reports room, but it accepts chunks.
    if (this.#ended || this.#unwritten === 0 || (this.#writer.desiredSize ?? 1) > 0) return undefined;
    return Promise.race([this.#writer.ready.catch(() => {}), this.#lastWrite]);
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#ended) {
      const error = this.#failure?.error ?? closedBeforeStart();
      queueMicrotask(() => receiver.failed(error));
    } else void this.#read(receiver);
  }

  send(message: Message, text?: string): number {
    if (this.#ended) return 0;
    const json = text ?? JSON.stringify(message);
    const copy = JSON.parse(json) as Message; // the sender may change its objects while the message is queued
    this.#unwritten += 1;
    this.#lastWrite = this.#writer.write(copy).then(
      () => {
        this.#unwritten -= 1;
      },
      (error: unknown) => this.#fail(error),
    );
    return json.length;
  }

  pause(): void {
    this.#paused ??= deferred();
  }

  resume(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.resume();
    // The stream writes queued messages before it closes. The stream may never accept a message, so it is aborted after
    // a limited time.
    await this.#atMost(this.#writer.close());
    await this.#atMost(Promise.allSettled([this.#writer.abort(), this.#reader.cancel()]));
  }

  #atMost(promise: Promise<unknown>): Promise<void> {
    return settledWithin(this.#closeTimeoutMs, promise, { keepAlive: true });
  }

  async #read(receiver: TransportReceiver): Promise<void> {
    try {
      for (;;) {
        while (this.#paused !== undefined) await this.#paused.promise;
        const { done, value } = await this.#reader.read();
        if (this.#ended) return;
        if (done) {
          receiver.ended();
          return;
        }
        const { size, problem } = measure(value, this.#limits);
        if (problem === undefined) receiver.message(value, size);
        else receiver.malformed(refusedMessage(value, problem, size));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.resume();
    this.#writer.abort(error).catch(() => {});
    this.#reader.cancel(error).catch(() => {});
    this.#failure = { error };
    this.#receiver?.failed(error);
  }
}

/**
 * Measures the size of a value, because the backlog is bounded in bytes. A value that JSON can't represent has the size
 * 0 and is delivered nevertheless, unless it is nested too deep or contains itself.
 */
function measure(value: unknown, limits: Required<MessageLimits>): { size: number; problem: string | undefined } {
  try {
    return copyJson(value, limits);
  } catch {
    return { size: 0, problem: checkMessageValue(value, limits) };
  }
}

/** Options of {@link toMessageStream}: callbacks for events that a stream of messages can't represent. */
export interface ToMessageStreamOptions {
  /**
   * Receives input that was skipped because it is not a JSON-RPC message. Without this function, such input is ignored.
   * Errors that the function throws are ignored.
   */
  readonly onMalformed?: (input: MalformedInput) => void;
}

/**
 * Creates a pair of web streams of messages from a {@link Transport}, for the official SDK and other code that uses its
 * `Stream`.
 *
 * If the code closes the writable or cancels the readable, the transport is closed: messages that were written are
 * flushed, then both streams end.
 */
export function toMessageStream(transport: Transport, options: ToMessageStreamOptions = {}): MessageStream {
  checkOptions("toMessageStream", options, toMessageStreamOptionKinds);
  let output: WritableStreamDefaultController | undefined;
  let input: ReadableStreamDefaultController<unknown> | undefined;
  /** Ends the readable once, with an error if there is one. */
  const endInput = (end: (controller: ReadableStreamDefaultController<unknown>) => void): void => {
    const controller = input;
    input = undefined;
    if (controller !== undefined) end(controller);
  };
  const close = async (): Promise<void> => {
    await transport.close();
    endInput((controller) => controller.close());
  };
  const readable = new ReadableStream<unknown>({
    start(controller) {
      input = controller;
    },
    pull() {
      transport.resume();
    },
    cancel() {
      input = undefined;
      output?.error(new Error("The transport was closed, because its readable stream was cancelled"));
      return transport.close();
    },
  });
  const writable = new WritableStream<unknown>({
    start(controller) {
      output = controller;
    },
    write(message) {
      try {
        transport.send(message as Message);
      } catch (error) {
        // The transport has failed, so the writable can't be used any more.
        endInput((controller) => controller.error(error));
        void transport.close();
        throw error;
      }
      return transport.full;
    },
    close,
    abort: close,
  });
  transport.start({
    message(value) {
      if (input === undefined) return;
      input.enqueue(value);
      if ((input.desiredSize ?? 0) <= 0) transport.pause();
    },
    malformed: (malformed) => callQuietly(() => options.onMalformed?.(malformed)),
    ended: () => endInput((controller) => controller.close()),
    failed(error) {
      endInput((controller) => controller.error(error));
      output?.error(error);
    },
  });
  return { readable, writable };
}

const toMessageStreamOptionKinds: OptionKinds<ToMessageStreamOptions> = { onMalformed: "function" };
